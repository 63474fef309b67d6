// The line to the desk. It is opened again wherever the browser gives up: where the desk, or what stands
// before it, answered with an error.

const PAUSE = 2000;
/// The desk says each 15 seconds that it is there. A line on which nothing came for longer hangs: its machine
/// sleeps, or the network has lost it without a word.
const SILENCE = 40_000;

/// Calls `on[name](data)` for what comes after an event; null: for what comes from now on. `on.open` and
/// `on.error` are told how the line is; `more` stands in its query.
export function follow(base, after, on, more = "") {
  let [source, last, heard] = [null, after, 0];
  const hears = () => { heard = performance.now(); };
  const open = () => {
    hears();
    source = new EventSource(`${base}/live?page=1${last === null ? "" : `&after=${last}`}${more}`);
    for (const name of ["open", "alive"]) source.addEventListener(name, hears);
    for (const name of Object.keys(on)) {
      source.addEventListener(name, (event) => {
        hears();
        const seq = Number(event.lastEventId) || undefined;
        if (seq) last = Math.max(last ?? 0, seq);
        const data = read(event.data);
        if (name === "floor") document.dispatchEvent(new CustomEvent("floor:clock", { detail: data.clock }));
        on[name]({ ...data, seq });
      });
    }
    const again = () => {
      source.close();
      setTimeout(open, PAUSE * (1 + Math.random()));
    };
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && again());
    if (!on.elsewhere) source.addEventListener("elsewhere", () => location.reload()); // The desk: whoever asks anew is led there.
    // What was missed is too much to tell: the line goes on from now.
    source.addEventListener("behind", () => {
      last = null;
      again();
    });
  };
  if (!("EventSource" in window)) return;
  open();
  setInterval(() => {
    if (source.readyState === EventSource.CLOSED || performance.now() - heard < SILENCE) return;
    source.close();
    on.error?.({});
    open();
  }, 5000);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", ({ persisted }) => persisted && open());
  // A browser has six lines to a server, and pages that nobody looks at would hold them all.
  if (document.querySelector("nav.tabs")) document.addEventListener("visibilitychange", () => (document.hidden ? source.close() : source.readyState === EventSource.CLOSED && open()));
}

/// Says in the head of a page how many tables of its round are in.
export function count({ round, missing, postponed }) {
  const tables = document.querySelector("[data-in]");
  const all = Number(tables?.dataset.in);
  if (all && round === Number(tables.dataset.round)) tables.textContent = tables.dataset.words.replace("{n}", all - missing - postponed);
}

function read(data) {
  try { return JSON.parse(data); } catch { return {}; }
}
