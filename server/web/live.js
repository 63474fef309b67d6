// One line to the desk: pages say what is new instead of moving under the reader's eyes.

const base = document.body.dataset.base;
const known = Number(document.body.dataset.head);
const line = document.querySelector("[data-live]");
const isEntry = document.querySelector("[data-entry]") !== null;

if (base && line && "EventSource" in window) listen();

function listen() {
  let before = line.textContent;
  // What is said stands in the page, in its language.
  const [one, many, fresh, out, mended, closed, away, now] = line.dataset.words.split("|");
  const put = (words, what) => words.replace("{n}", what);
  let results = 0;
  let head = known;
  const other = new Set();

  const source = new EventSource(`${base}/live?after=${known}`);
  const read = (event) => {
    try {
      return JSON.parse(event.data);
    } catch {
      return {};
    }
  };

  function show() {
    line.classList.add("on");
    line.classList.remove("off");
    // The entry page shows results itself, and only when the last one was saved.
    if (isEntry && head > known) before = `Saved ${new Date().toLocaleTimeString([], { hour12: false })}`;
    const words = [...other];
    if (results > 0) words.unshift(put(results === 1 ? one : many, results));
    if (!words.length && head > known && !isEntry) words.push(fresh);
    if (!words.length) {
      line.textContent = before;
      return;
    }
    const link = document.createElement("a");
    const here = new URL(location.href);
    for (const field of ["done", "refused", "why", "hint", "typed"]) here.searchParams.delete(field);
    link.href = here.href;
    link.textContent = words.join(", ");
    link.title = now;
    line.replaceChildren(link);
  }

  const on = (name, act) =>
    source.addEventListener(name, (event) => {
      const seq = Number(event.lastEventId);
      if (seq && seq <= known) return;
      if (seq) head = Math.max(head, seq);
      act({ ...read(event), seq });
      show();
    });

  const pass = (name, data) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: data }));
  function count(data) {
    const tables = document.querySelector("[data-in]");
    const all = Number(tables?.dataset.in);
    if (all && data.round === Number(tables.dataset.round)) tables.textContent = put(tables.dataset.words, all - data.missing).replace("{all}", all);
  }

  on("head", () => {});
  on("result", (data) => {
    pass("result", data);
    if (!isEntry) results += 1;
    count(data);
  });
  on("missing", (data) => {
    pass("missing", data);
    if (!isEntry) other.add(fresh);
    count(data);
  });
  on("published", (data) => {
    const said = put(out, data.round);
    other.add(said);
    // Spoken once a round, and never for each result.
    const spoken = document.querySelector("[data-spoken]");
    if (spoken) spoken.textContent = said;
  });
  on("corrected", (data) => {
    pass("corrected", data);
    if (!isEntry) other.add(mended);
  });
  on("closed", () => other.add(closed));
  on("behind", () => other.add(fresh));
  source.addEventListener("bye", () => source.close());
  source.addEventListener("open", show);
  source.addEventListener("error", () => {
    // The browser tries again by itself, unless it was told that there is no such line.
    if (source.readyState === EventSource.CLOSED) {
      line.classList.remove("on");
      return;
    }
    line.classList.replace("on", "off");
    line.textContent = put(away, new Date().toLocaleTimeString([], { hour12: false }));
  });
  addEventListener("pagehide", () => source.close());
}
