// The line to the desk. It is opened again wherever the browser gives up: where the desk, or what stands
// before it, answered with an error.

const PAUSE = 2000;
/// The desk says each 15 seconds that it is there. A line on which nothing came for longer hangs: its machine
/// sleeps, or the network has lost it without a word.
const SILENCE = 40_000;
/// After so many lines in a row that were refused, or on which nothing came, a page is asked for anew each 20 to 40 seconds.
const [REFUSED, POLL] = [3, 20_000];

/// Calls `on[name](data)` for what comes after an event; null: for what comes from now on. `on.open` and
/// `on.error` are told how the line is, `on.poll` asks for what is shown; `more` stands in its query.
export function follow(base, after, on, more = "") {
  let [source, last, heard, refused] = [null, after, 0, 0];
  const hears = () => { [heard, refused] = [performance.now(), 0]; };
  const open = () => {
    heard = performance.now();
    source = new EventSource(`${base}/live?page=1${last === null ? "" : `&after=${last}`}${more}`);
    source.addEventListener("alive", hears); // That it is open says nothing yet: what stands before the desk may hold back all that comes.
    for (const name of Object.keys(on)) {
      source.addEventListener(name, (event) => {
        ["error", "open"].includes(name) ? heard = performance.now() : hears();
        const seq = Number(event.lastEventId) || undefined;
        if (seq) last = Math.max(last ?? 0, seq);
        const data = read(event.data);
        if (name === "floor") document.dispatchEvent(new CustomEvent("floor:clock", { detail: data.clock }));
        on[name]({ ...data, seq });
      });
    }
    const again = () => { source.close(); setTimeout(open, PAUSE * (1 + Math.random())); };
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && (refused += 1, again()));
    if (!on.elsewhere) source.addEventListener("elsewhere", () => location.reload()); // The desk: whoever asks anew is led there.
    // What was missed is too much to tell: the line goes on from now.
    source.addEventListener("behind", () => { last = null; again(); });
  };
  if (!("EventSource" in window)) return;
  open();
  setInterval(() => {
    if (source.readyState === EventSource.CLOSED || performance.now() - heard < SILENCE) return;
    source.close();
    refused += 1;
    on.error?.({});
    open();
  }, 5000);
  const poll = () => setTimeout(() => { if (refused >= REFUSED && !document.hidden) on.poll?.({}); poll(); }, POLL * (1 + Math.random()));
  poll();
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
