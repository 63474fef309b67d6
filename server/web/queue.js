// Orders that are sent without waiting for the answer of the one before. Each has its key from the
// beginning, made from the key that the server gave the page, so that what is sent twice is done once.
// Each is kept for itself over a reload, with who entered it: nothing is sent as somebody else's. Their
// answers may come in any order.

const AT_ONCE = 4;
const PAUSE = 2000;
/// How often an entry is sent at which the desk has a fault of its own; then it holds up no other.
const TRIES = 3;

export class Queue {
  #base;
  #pageKey;
  #signer;
  #who;
  #told;
  #flying = new Set();
  #pausing = null;
  entries = [];
  /// Since when the desk does not answer; null: it does.
  silentSince = null;
  /// Whether it answers that it waits for its database.
  lacksDatabase = false;
  /// Whether it answers that this was too much in a minute: it is sent again.
  isSlow = false;
  /// Whether somebody has to sign in before anything is sent.
  isSignedOut = false;

  /// `told` has `recorded(entry, answer)`, `refused(entry, problem)` and `changed()`; where it has
  /// `agrees(entry, problem)`, what is refused there and agrees with what stands is forgotten; `goes()` says whether the desk answers.
  constructor(base, pageKey, told) {
    this.#base = base;
    this.#pageKey = pageKey;
    this.#signer = document.body.dataset.signer;
    this.#who = document.body.dataset.who;
    this.#told = told;
    this.entries = this.#load();
    for (const back of ["online", "focus", "visibilitychange"]) addEventListener(back, () => this.goOn());
    // What was left or sent in another tab is no question here any more.
    addEventListener("storage", ({ key, newValue }) => {
      const entry = newValue === null && this.entries.find((one) => this.#place(one.key) === key);
      if (entry && !this.waiting.includes(entry)) this.forget(entry);
    });
  }

  /// What the desk does not do since `silentSince`, in words.
  get silence() {
    return this.lacksDatabase ? "The desk has waited for its database since" : "The desk has not answered since";
  }

  /// What is sent by itself.
  get waiting() { return this.entries.filter((entry) => !entry.error && this.#isOwn(entry)); }

  /// What was entered in this browser under another sign-in.
  get foreign() { return this.entries.filter((entry) => !entry.error && !this.#isOwn(entry)); }

  get failed() { return this.entries.filter((entry) => entry.error); }

  /// `fields` say the order, `typed` what stands for it on a page, `table` is the table that it is about: what is about one table is sent in
  /// its order; null: it may be about any. `path` is where it is posted, `orders` where there is none.
  add(fields, entry) {
    const made = { ...entry, fields, key: this.#newKey(), at: Date.now(), n: this.entries.length, signer: this.#signer, by: this.#who };
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

  /// Sends what failed, or what was entered under another sign-in, as one's own.
  resend(entry) {
    for (const was of ["error", "tries"]) delete entry[was];
    entry.signer = this.#signer;
    this.#keep(entry);
    this.#told.changed();
    this.send();
  }

  send() {
    if (this.#pausing || this.isSignedOut) return;
    for (const entry of this.waiting) {
      if (this.#flying.size >= AT_ONCE) return;
      if (!this.#flying.has(entry) && !this.#hasOneBefore(entry)) this.#fly(entry);
    }
  }

  #isOwn(entry) { return entry.signer === this.#signer; }

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
    try {
      const goes = entry.sent || !this.#told.goes || await this.#told.goes(); // What never went is known not to be recorded.
      if (!this.entries.includes(entry)) return;
      entry.sent = goes;
      this.#keep(entry);
      await this.#settle(entry, goes ? await this.#post(entry) : {});
    } catch (fault) {
      // A fault of the page at one entry is shown there, and holds up no other.
      if (this.entries.includes(entry)) this.#fail(entry, { detail: String(fault) });
      throw fault;
    } finally {
      this.#flying.delete(entry);
      this.send();
    }
  }

  async #settle(entry, { done, problem, status, lacksDatabase }) {
    [this.lacksDatabase, this.isSlow] = [lacksDatabase === true, status === 429];
    if (!done && !problem) {
      this.silentSince = this.isSlow ? null : this.silentSince ?? new Date();
      this.#pause();
      this.#told.changed();
      return;
    }
    this.silentSince = null;
    this.isSignedOut = status === 401;
    if (done) {
      this.forget(entry);
      this.#told.recorded(entry, done);
    } else if (this.isSignedOut) {
      this.#told.changed();
    } else if (status === 500 && (entry.tries ?? 0) + 1 < TRIES) {
      entry.tries = (entry.tries ?? 0) + 1;
      this.#keep(entry);
      this.#pause();
    } else if (await this.#told.agrees?.(entry, problem)) {
      this.forget(entry);
    } else {
      this.#fail(entry, problem);
    }
  }

  #fail(entry, problem) {
    entry.error = (problem.detail ?? problem.title ?? "It was refused.").replaceAll("`", "");
    entry.hint = problem.hint ?? "";
    entry.code = problem.code;
    // The page may say the hint in its own words, which are kept too.
    this.#told.refused(entry, problem);
    this.#keep(entry);
    this.#told.changed();
  }

  #pause() {
    this.#pausing ??= setTimeout(() => { this.#pausing = null; this.send(); }, PAUSE);
  }

  /// There is a network again, or somebody looks here who may have signed in meanwhile.
  goOn() {
    clearTimeout(this.#pausing);
    this.#pausing = null;
    this.isSignedOut = false;
    this.send();
  }

  // What the desk answers: what was `done`, or the `problem`; neither where it does not answer or could
  // not. What does not speak as the desk does is not the desk, but such as the page by which a network
  // asks for money.
  async #post(entry) {
    try {
      const answer = await fetch(`${this.#base}/${entry.path ?? "orders"}`, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ ...entry.fields, key: entry.key, signer: entry.signer }),
      });
      if (!/^application\/(problem\+)?json\b/.test(answer.headers.get("Content-Type") ?? "")) return {};
      const [read, { status, ok }] = [await answer.json(), answer];
      // What goes on to a venue is done here once it is on its way.
      const isDone = "first_seq" in read || "number" in read || read.is === "sent";
      if (ok) return isDone ? { done: read, status } : {};
      return "code" in read && status <= 500 && status !== 429 ? { problem: read, status } : { lacksDatabase: read.code === "waiting-for-database", status };
    } catch {
      return {};
    }
  }

  // A tab that was doubled has the same page key.
  #newKey() {
    const random = crypto.getRandomValues(new Uint32Array(2));
    return `${this.#pageKey}-${[...random].map((part) => part.toString(36)).join("")}`;
  }

  #place(key) { return `scrutineer queue ${this.#base} ${key}`; }

  #keep(entry) {
    try {
      // What somebody of the staff may not do is refused for good: it is told and not kept, but for a slip, which has to be entered.
      if (entry.code === "not-allowed" && entry.path !== "me" && !entry.fields.slip) localStorage.removeItem(this.#place(entry.key));
      else localStorage.setItem(this.#place(entry.key), JSON.stringify(entry));
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
