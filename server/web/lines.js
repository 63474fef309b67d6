// Slips that a digit cannot say are entered line by line: Enter goes to the next line, and after the last
// one the result is sent. What has letters, such as `w-l no-show`, says the rest of a slip at once.

export class Lines {
  #ofSeats;
  #shared;
  #seats = 2;
  #typed = [];

  /// The names of the lines that each seat has, and of those that the table shares.
  constructor(ofSeats, shared) {
    this.#ofSeats = ofSeats;
    this.#shared = shared;
  }

  /// Whether there are several; a single one is typed behind its table.
  get areSeveral() {
    return this.#ofSeats.length + this.#shared.length > 1;
  }

  begin(seats) {
    this.#seats = seats;
    this.#typed = [];
  }

  /// The name of the line that is typed now.
  get name() {
    return [...this.#ofSeats, ...this.#shared][this.#typed.length];
  }

  /// What is to be typed.
  ask() {
    if (this.#isShared()) return `${this.name} of the table, then Enter; nothing is 0.`;
    const such = Array.from({ length: this.#seats }, (_, at) => Math.max(5 - 2 * at, 0)).join("-");
    return `${this.name} of each player, such as ${such}, then Enter.`;
  }

  /// Takes a line: `slip` is the whole one after the last line, `why` says what is wrong.
  take(typed) {
    if (/^R\d+[ -]?T\d+$/i.test(typed)) return { why: "This is the code of another slip. Escape leaves this one." };
    if (/\p{L}/u.test(typed)) return { slip: [this.#written(), typed].filter(Boolean).join(" ") };
    const line = typed.replaceAll(/[\s:–]+/g, "-") || (this.#isShared() ? "0" : "");
    const count = this.#isShared() ? 1 : this.#seats;
    const isLine = new RegExp(`^-?\\d+(--?\\d+){${count - 1}}$`).test(line);
    if (!isLine) return { why: `${this.name} has ${count === 1 ? "one number" : `${count} numbers`}; this is ${typed || "nothing"}.` };
    this.#typed.push(line);
    return this.name === undefined ? { slip: this.#written() } : {};
  }

  /// Goes back a line, and gives what was typed there; null: this is the first.
  back() {
    return this.#typed.pop() ?? null;
  }

  #isShared() {
    return this.#typed.length >= this.#ofSeats.length;
  }

  /// The slip so far, as the desk writes it.
  #written() {
    const words = this.#typed.slice(0, this.#ofSeats.length);
    const shared = this.#typed.slice(this.#ofSeats.length);
    if (!shared.some((value) => Number(value) !== 0)) return words.join(" ");
    const last = words.pop();
    return [...words, [last, ...shared].filter((one) => one !== undefined).join("-")].join(" ");
  }
}
