// Orders that are sent without waiting for the answer of the one before. Each has its key from the
// beginning, made from the key that the server gave the page, so that what is sent twice is done once.
// They are kept over a reload, each for itself, and their answers may come in any order.

const AT_ONCE = 4;
const PAUSE = 2000;

export class Queue {
  #base;
  #pageKey;
  #told;
  #flying = new Set();
  #pausing = false;
  #made = 0;
  entries = [];
  /// Since when the desk does not answer; null: it does.
  silentSince = null;

  /// `told` has `recorded(entry, answer)`, `refused(entry, problem)` and `changed()`.
  constructor(base, pageKey, told) {
    this.#base = base;
    this.#pageKey = pageKey;
    this.#told = told;
    this.entries = this.#load();
  }

  get waiting() {
    return this.entries.filter((entry) => !entry.error);
  }

  get failed() {
    return this.entries.filter((entry) => entry.error);
  }

  /// `fields` say the order, `table` is the table that it is about: what is about one table is sent in
  /// its order; null: it may be about any.
  add(fields, entry) {
    const made = { ...entry, fields, key: this.#newKey(), at: Date.now(), n: this.entries.length };
    this.entries.push(made);
    this.#keep(made);
    this.#told.changed();
    this.send();
    return made;
  }

  forget(entry) {
    this.entries = this.entries.filter((other) => other !== entry);
    try {
      localStorage.removeItem(this.#place(entry.key));
    } catch { /* A browser without a memory has nothing to forget. */ }
    this.#told.changed();
  }

  send() {
    if (this.#pausing) return;
    for (const entry of this.waiting) {
      if (this.#flying.size >= AT_ONCE) return;
      if (!this.#flying.has(entry) && !this.#hasOneBefore(entry)) this.#fly(entry);
    }
  }

  #hasOneBefore(entry) {
    const touches = (other) => other.table === null || entry.table === null || other.table === entry.table;
    for (const other of this.waiting) {
      if (other === entry) return false;
      if (touches(other)) return true;
    }
    return false;
  }

  async #fly(entry) {
    this.#flying.add(entry);
    const answer = await this.#post(entry);
    this.#flying.delete(entry);
    if (answer === null) {
      this.silentSince ??= new Date();
      this.#told.changed();
      this.#pause();
      return;
    }
    this.silentSince = null;
    if (answer.problem) {
      entry.error = answer.problem.detail ?? answer.problem.message ?? answer.problem.title ?? "It was refused.";
      entry.hint = answer.problem.hint ?? "";
      this.#keep(entry);
      this.#told.refused(entry, answer.problem);
      this.#told.changed();
    } else {
      this.forget(entry);
      this.#told.recorded(entry, answer);
    }
    this.send();
  }

  #pause() {
    if (this.#pausing) return;
    this.#pausing = true;
    setTimeout(() => {
      this.#pausing = false;
      this.send();
    }, PAUSE);
  }

  // The answer; null where nobody answered or the desk could not.
  async #post(entry) {
    try {
      const answer = await fetch(`${this.#base}/orders`, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ ...entry.fields, key: entry.key }),
      });
      const read = await answer.json().catch(() => ({}));
      if (answer.ok) return read;
      if (answer.status >= 500 || answer.status === 429) return null;
      return { problem: read.error ?? read };
    } catch {
      return null;
    }
  }

  // The number goes on where the browser shows an old copy of the page.
  #newKey() {
    const place = `scrutineer keys ${this.#pageKey}`;
    let number = this.#made;
    try {
      number = Math.max(number, Number(sessionStorage.getItem(place) ?? 0));
      sessionStorage.setItem(place, String(number + 1));
    } catch { /* The number of this page will do. */ }
    this.#made = number + 1;
    return `${this.#pageKey}-q${number + 1}`;
  }

  #place(key) {
    return `scrutineer queue ${this.#base} ${key}`;
  }

  #keep(entry) {
    try {
      localStorage.setItem(this.#place(entry.key), JSON.stringify(entry));
    } catch { /* A browser without a memory still sends. */ }
  }

  #load() {
    try {
      const places = Object.keys(localStorage).filter((key) => key.startsWith(this.#place("")));
      const read = places.map((key) => JSON.parse(localStorage.getItem(key)));
      return read.filter((entry) => entry?.key && entry.fields).sort((a, b) => a.at - b.at || a.n - b.n);
    } catch {
      return [];
    }
  }
}
