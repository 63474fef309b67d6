// The floor on a phone. A table opens without asking anybody; results, extra minutes and penalties go
// into a queue that is kept over a reload and sent when there is a network. Where the desk entered the
// same table meanwhile, the judge is told: what agrees goes silently, what differs is listed for one decision.
// Without this script every form posts by itself.

import { heldLine, isOver, ofRound, signedOut } from "./held.js";
import { figures, made } from "./own.js";
import { Queue } from "./queue.js";
import { follow } from "./stream.js";

const hall = document.querySelector("[data-hall]");
const base = document.body.dataset.base;
const api = `/api/v1/tournaments/${base.split("/").pop()}`;
const part = (name) => hall.querySelector(`[data-${name}]`);
const sheet = part("sheet");
const round = hall.dataset.round;
let version = Number(document.body.dataset.floor);
let table = sheet.hidden ? null : part("number").textContent;

// ---- a table ----

const cellOf = (number) => hall.querySelector(`[data-table="${number}"]`);

function open(cell) {
  table = cell.dataset.table;
  part("number").textContent = table;
  part("state").textContent = cell.dataset.about;
  const seats = [...cell.querySelectorAll("bdi")];
  for (const row of sheet.querySelectorAll("[data-seat-row]")) {
    const seat = seats[row.dataset.seatRow];
    row.hidden = !seat;
    if (!seat) continue;
    row.querySelector("[data-name]").textContent = seat.textContent;
    row.querySelector("[data-record]").textContent = seat.dataset.record;
    row.querySelector("[data-penalties]").textContent = seat.dataset.penalties || "none";
    row.querySelector("[data-report]").textContent = seat.dataset.report;
  }
  for (const choice of sheet.querySelectorAll("[data-player]")) {
    const seat = seats[choice.dataset.player];
    choice.checked = false;
    choice.closest("label").hidden = !seat;
    choice.value = seat ? `#${seat.dataset.number}` : "";
  }
  for (const name of sheet.querySelectorAll("[data-named]")) {
    name.textContent = seats[name.dataset.named]?.textContent ?? "";
  }
  for (const field of sheet.querySelectorAll("[data-table-field]")) field.value = table;
  for (const key of sheet.querySelectorAll("[data-score]")) key.value = `${table} ${key.dataset.score}`;
  const slip = sheet.querySelector("[data-slip-field]");
  if (slip) slip.value = `${table} `;
  for (const name of ["feature", "unfeature"]) {
    const key = part(name);
    if (key) key.hidden = cell.hasAttribute("data-featured") === (name === "feature");
  }
  part("entry").open = !cell.dataset.result;
  sheet.hidden = false;
  sheet.querySelector("#sheet-head").focus({ preventScroll: true });
  sheet.scrollIntoView({ block: "start" });
}

hall.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-table]");
  if (cell && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open(cell);
  }
  if (event.target.closest("[data-close]")) {
    event.preventDefault();
    close();
  }
});

function close() {
  sheet.hidden = true;
  cellOf(table)?.focus();
  table = null;
}

// ---- the queue ----

const refused = (entry) => say(`${entry.typed} was not recorded.`);
const queue = new Queue(base, hall.dataset.key, { recorded, refused, agrees, changed: () => show() });

hall.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-queued]");
  if (!form) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  delete fields.back;
  delete fields.key;
  const kind = form.dataset.queued;
  queue.add(fields, { kind, table, round, typed: told(kind, fields), path: kind === "extend" ? "floor" : "orders" });
  form.reset();
  close();
});

function told(kind, fields) {
  if (kind === "extend") return `${table} +${fields.minutes}`;
  if (kind === "result") return figures(fields.slip);
  const player = [...cellOf(table)?.querySelectorAll("bdi") ?? []].find((one) => `#${one.dataset.number}` === fields.player);
  return `${fields.takes} for ${player?.textContent ?? fields.player}`;
}

function show() {
  const { waiting, foreign, failed, silentSince, isSignedOut } = queue;
  for (const cell of hall.querySelectorAll("[data-table]")) {
    cell.classList.toggle("waits", waiting.some((entry) => entry.table === cell.dataset.table));
  }
  const offline = part("offline");
  offline.hidden = !waiting.length || !(isSignedOut || silentSince);
  const number = waiting.length === 1 ? "1 entry waits" : `${waiting.length} entries wait`;
  const why = isSignedOut ? signedOut() : [`No Wi-Fi since ${clock(silentSince ?? new Date())}. `];
  offline.replaceChildren(...why, `${number} on this phone: ${waiting.map((entry) => entry.typed).join(", ")}.`);
  const list = part("differ");
  const lines = [...foreign.map((entry) => heldLine(queue, entry, button)), ...failed.map(line)];
  list.hidden = !lines.length;
  list.replaceChildren(...lines);
}

function line(entry) {
  const item = document.createElement("li");
  if (!entry.stands) {
    item.append(made("strong", `${entry.typed} was not recorded: `), ofRound(entry), entry.error, made("br", ""));
    // What was typed on the entry page is mended there.
    if (entry.kind) item.append(button("Send again", `Send ${entry.typed} again`, () => queue.resend(entry)));
    item.append(button("Leave it", `Leave ${entry.typed}`, () => queue.forget(entry)));
    return item;
  }
  const stands = figures(entry.stands);
  item.append(made("strong", `Table ${entry.table}, round ${entry.round}: `), `you entered ${figures(score(entry))}, the desk has ${stands}.`);
  // Once it is decided it stands here until that is recorded.
  if (queue.waiting.some((other) => other.decides === entry.key)) return item;
  item.append(made("br", ""), button(`${stands} is right`, "", () => queue.forget(entry)));
  const reason = `entered as ${score(entry)} on the floor`;
  if ("corrects" in hall.dataset) {
    item.append(button("Mine is right", "", () => decide(entry, { order: "correct", slip: entry.fields.slip, round: entry.round, reason })));
  } else {
    item.append(button("Open a dispute", "", () => decide(entry, { order: "dispute", table: entry.table, round: entry.round, claim: reason })));
  }
  return item;
}

function button(label, about, act) {
  const one = made("button", label);
  one.type = "button";
  if (about) one.setAttribute("aria-label", about);
  one.addEventListener("click", act);
  return one;
}

/// What was entered otherwise is forgotten once this is recorded.
function decide(entry, fields) {
  const typed = fields.order === "correct" ? `correction of table ${entry.table}` : `dispute at table ${entry.table}`;
  queue.add(fields, { kind: fields.order, table: entry.table, round: entry.round, typed, decides: entry.key });
}

const score = (entry) => entry.fields.slip.split(" ").slice(1).join(" ");
const clock = (time) => time.toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" });
const say = (text) => { part("told").textContent = text; };

function recorded(entry) {
  say(`${entry.typed} is recorded.`);
  const decided = entry.decides && queue.entries.find((other) => other.key === entry.decides);
  if (decided) queue.forget(decided);
  if (entry.round !== round) return;
  if (["result", "correct"].includes(entry.kind)) entered(entry.table, score(entry));
  if (entry.kind === "extend") extended(entry.table, Number(cellOf(entry.table)?.dataset.extra) + Number(entry.fields.minutes));
}

/// The desk has the result of this table: it is the same, or both stand beside each other for a decision.
async function agrees(entry, problem) {
  if (entry.kind !== "result" || !["result-stands", "other-round"].includes(problem.code)) return false;
  const stands = await standing(entry);
  const isSame = stands === score(entry);
  if (isSame && entry.round === round) entered(entry.table, stands);
  if (stands && !isSame) entry.stands = stands;
  return isSame;
}

async function standing(entry) {
  try {
    const answer = await (await fetch(`${api}/rounds/${entry.round}`)).json();
    return answer.tables.find((one) => String(one.table) === entry.table)?.result ?? null;
  } catch {
    return null;
  }
}

// ---- what others do ----

function mark(number, change) {
  const cell = cellOf(number);
  if (!cell) return;
  change(cell);
  const { result, extra } = cell.dataset;
  cell.classList.toggle("in", Boolean(result));
  cell.classList.toggle("plus", Number(extra) > 0);
  if (!cell.classList.contains("call")) {
    cell.querySelector("small").textContent = result ? "✓ in" : Number(extra) > 0 ? `+${extra}` : "playing";
  }
  cell.dataset.about = [result ? `result ${result}` : "playing", Number(extra) > 0 ? `${extra} minutes more` : ""].filter(Boolean).join(", ");
}
const entered = (number, result) => mark(number, (cell) => { cell.dataset.result = figures(result); });
const extended = (number, minutes) => mark(number, (cell) => { cell.dataset.extra = minutes; });

let awaySince = null;
const live = {
  open() {
    if (awaySince) say("Connected again.");
    awaySince = null;
  },
  error() {
    awaySince ??= new Date();
    say(`Not connected since ${clock(awaySince)}.`);
  },
  published: () => say("A new round is out. Load the page for its tables."),
  async floor(data) {
    document.dispatchEvent(new CustomEvent("floor:clock", { detail: data.clock }));
    if (data.version <= version) return;
    version = data.version;
    const floor = await fetch(`${api}/floor`).then((answer) => answer.json()).catch(() => null);
    if (!floor || String(floor.round) !== round) return;
    for (const cell of hall.querySelectorAll("[data-table]")) {
      const given = floor.extensions.find((one) => String(one.table) === cell.dataset.table)?.minutes ?? 0;
      if (Number(cell.dataset.extra) !== given) extended(cell.dataset.table, given);
    }
    const calls = part("calls");
    const open = floor.calls?.length ?? 0;
    const link = document.createElement("a");
    link.href = location.pathname + location.search;
    link.textContent = open ? `${open} now, show them` : "none now";
    calls.replaceChildren(link);
  },
};
// What was taken back has no score any more.
for (const kind of ["result", "corrected", "missing"]) {
  live[kind] = (data) => { if (String(data.round) === round) entered(data.table, data.score ?? ""); };
}
follow(base, null, live);

queue.failed.filter((entry) => isOver(entry, round)).forEach((entry) => queue.forget(entry));
show();
queue.send();
