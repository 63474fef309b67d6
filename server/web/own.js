// One's own entries, the newest first: the newest is undone, the others are changed.

const RULED = { w: "win", l: "loss", d: "draw" };

/// A ruling of a slip, such as `w-l`, in words.
function ruled(word) {
  const seats = word.split("-").map((seat) => RULED[seat]);
  if (seats.length < 2 || seats.includes(undefined)) return null;
  if (new Set(seats).size > 1 || seats[0] === "win") return seats.join("–");
  return seats[0] === "draw" ? "draw" : "nobody wins";
}

/// A score as it is set: dashes of figures between the numbers, rulings in words. `no-show` is a word.
export const figures = (slip) => ({ "1-0 w-l": "1–0", "0-1 l-w": "0–1", "0-0-1 d-d": "½–½", ...("chess" in document.body.dataset && { "w-l": "1–0", "l-w": "0–1", "d-d": "½–½", id: "½–½", "d-d agreed": "½–½", "0-0-1": "½–½", "0-0-1 agreed": "½–½", "w-l forfeit": "+/−", "l-w forfeit": "−/+", "l-l forfeit": "−/−" }) })[slip] ?? (slip ?? "").split(" ").map((word) => ruled(word) ?? word.replace(/(?<=\d)-(?=\d)/g, "–")).join(" ");

/// Names side by side: those from right to left set apart, so that they turn nothing round beside them.
export const beside = (names) => (names ?? [])
  .map((name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(name) ? `\u2068${name}\u2069` : name)).join(" – ");

export function made(tag, text, kind = "") {
  const one = document.createElement(tag);
  one.textContent = text;
  if (kind) one.className = kind;
  return one;
}

export function button(label, about, act, kind = "") {
  const one = made("button", label, kind);
  one.type = "button";
  if (about) one.setAttribute("aria-label", about);
  one.addEventListener("click", act);
  return one;
}

export class Own {
  #body;
  #button;
  #act;

  /// `button(label, about, act)` makes a button; `undo(row)` and `correct(table)` are done by them; without
  /// them nothing can be done with a row.
  constructor(body, button, act) {
    this.#body = body;
    this.#button = button;
    this.#act = act;
  }

  /// The rows of results and corrections.
  rows() {
    return [...this.#body.querySelectorAll("[data-own-table]")];
  }

  /// Those that stand, in the order in which they were entered.
  pile() {
    return this.rows().filter((row) => row.dataset.seq && !row.classList.contains("undone")).reverse();
  }

  /// The table of what was typed last and stands, also where it is on its way; empty: the desk has yet to say which.
  newest() {
    const isTyped = ({ classList, dataset }) => !classList.contains("undone") && !(dataset.undoneBy && classList.contains("own-waits"));
    const typed = [...this.#body.children].find((row) => isTyped(row) && (row.dataset.ownTable || "slips" in row.dataset));
    return typed?.children[0].textContent;
  }

  rowOf(entry) {
    return this.#body.querySelector(`[data-key="${CSS.escape(entry.key)}"]`);
  }

  /// The row that an undo takes back.
  undoneBy(entry) {
    return this.#body.querySelector(`[data-undone-by="${CSS.escape(entry.key)}"]`);
  }

  add(entry, names) {
    const row = document.createElement("tr");
    row.className = "own-waits";
    row.dataset.key = entry.key;
    if (entry.fields.order !== "drop") row.dataset.slips = "";
    const head = made("th", entry.table ?? "", "num table");
    head.scope = "row";
    const cell = document.createElement("td");
    cell.append(made("span", names));
    row.append(head, made("td", figures(entry.score), "nowrap"), cell, made("td", "", "num"));
    this.#body.prepend(row);
  }

  /// An entry was recorded: its row says what the desk has.
  recorded(row, entry, answer, names, base) {
    row.classList.replace("own-waits", "own-new");
    row.dataset.seq = answer.first_seq;
    if (entry.fields.order === "drop") return this.#body.querySelectorAll(`[data-seq="${answer.first_seq}"]`).forEach((one) => one !== row && one.remove());
    const table = String(answer.table || entry.table || `#${answer.players?.[0]?.number}`);
    // A result that was corrected is one slip, with its last score.
    for (const older of this.rows()) if (older !== row && older.dataset.ownTable === table) older.remove();
    row.dataset.ownTable = table;
    row.dataset.slip = answer.result ?? entry.score;
    if (entry.was) row.dataset.was = entry.was;
    row.children[0].textContent = table;
    row.children[1].textContent = figures(row.dataset.slip);
    row.children[2].replaceChildren(made("span", names), ...(answer.notes ?? []).flatMap((note) => [" ", made("span", note, "tag bad")]));
    if (entry.fields.order !== "correct") return;
    const moved = made("a", "who moves");
    moved.href = `${base}/moved/${answer.first_seq}`;
    row.children[1].append(" ", made("s", figures(entry.was)));
    row.children[2].append(" ", made("span", "corrected", "tag fixed"), " ", moved);
  }

  /// Somebody corrected the result of a table: it stands beside what was entered there.
  corrected(table, score) {
    for (const row of this.rows()) {
      if (row.dataset.ownTable !== table || row.classList.contains("undone")) continue;
      const [, cell, names] = row.children;
      const was = cell.firstChild?.textContent ?? "";
      if (was.trim() === figures(score)) continue;
      const isBack = cell.querySelector("s")?.textContent === figures(score); // The correction was undone.
      row.dataset.slip = score;
      row.toggleAttribute("data-overruled", !isBack);
      cell.replaceChildren(`${figures(score)} `, isBack ? "" : made("s", was.trim()));
      names.querySelectorAll(".tag, a").forEach((one) => one.remove());
      if (!isBack) names.append(" ", made("span", "corrected since", "tag fixed"));
    }
    this.actions();
  }

  /// What was entered at a table before an event was taken back in it.
  takenBack(table, seq) {
    for (const row of this.rows()) {
      if (row.dataset.ownTable === table && Number(row.dataset.seq) < seq) row.classList.add("undone");
    }
    this.actions();
  }

  /// Gives each row what can be done with it.
  actions() {
    let newest = true;
    for (const row of this.#body.children) {
      const { ownTable: table, seq, act } = row.dataset;
      const stands = this.#act && seq && !row.classList.contains("undone");
      const kind = !stands ? "none" : (newest && !("overruled" in row.dataset)) || !table ? "undo" : "change";
      if (stands) newest = false;
      if (act === kind) continue;
      row.dataset.act = kind;
      const what = `${row.children[0].textContent} ${row.children[1].textContent}`;
      const buttons = {
        none: () => [],
        undo: () => [this.#button("Undo", `Undo ${what}`, () => this.#act.undo(row))],
        change: () => [this.#button("Change", `Change table ${table}`, () => this.#act.correct(table))],
      };
      row.lastElementChild.replaceChildren(...buttons[kind]());
    }
  }
}
