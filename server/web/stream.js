// The line to the desk. It is opened again wherever the browser gives up: where the desk, or what stands
// before it, answered with an error.

const PAUSE = 2000;

/// Calls `on[name](data)` for what comes after an event; null: for what comes from now on. `on.open` and
/// `on.error` are told how the line is; `more` stands in its query.
export function follow(base, after, on, more = "") {
  let [source, last] = [null, after];
  const open = () => {
    source = new EventSource(`${base}/live?${last === null ? "" : `after=${last}`}${more}`);
    for (const name of Object.keys(on)) {
      source.addEventListener(name, (event) => {
        const seq = Number(event.lastEventId) || undefined;
        if (seq) last = Math.max(last ?? 0, seq);
        on[name]({ ...read(event.data), seq });
      });
    }
    const again = () => {
      source.close();
      setTimeout(open, PAUSE * (1 + Math.random()));
    };
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && again());
    // What was missed is too much to tell: the line goes on from now.
    source.addEventListener("behind", () => {
      last = null;
      again();
    });
  };
  if (!("EventSource" in window)) return;
  open();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", ({ persisted }) => persisted && open());
}

function read(data) {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}
