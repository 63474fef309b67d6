// The floor on a phone. A table opens and another list is shown without asking anybody; what is done at a
// table goes into a queue that is kept over a reload and sent when there is a network; what cannot wait
// stays on its page until there is one. Where the desk entered the
// same table meanwhile, the judge is told: what agrees goes silently, what differs is listed for one decision.
// Without this script every form posts by itself.

import { called, heldLine, isOver, ofRound, signedOut } from "./held.js";
import { button, figures, made } from "./own.js";
import { Queue } from "./queue.js";
import { follow } from "./stream.js";

const hall = document.querySelector("[data-hall]");
const base = document.body.dataset.base;
const api = `/api/v1/tournaments/${base.split("/").pop()}`;
const part = (name) => hall.querySelector(`[data-${name}]`);
const sheet = part("sheet");
const round = hall.dataset.round;
let [version, table, opened] = [Number(document.body.dataset.floor), sheet.hidden ? null : part("number").textContent, -Infinity];

// ---- a table ----

const cellOf = (number) => hall.querySelector(`[data-table="${number}"]`);

function open(cell) {
  [table, opened] = [cell.dataset.table, performance.now()];
  part("number").textContent = table;
  part("state").textContent = cell.dataset.about;
  const seats = [...cell.querySelectorAll("bdi")];
  for (const row of sheet.querySelectorAll("[data-seat-row]")) {
    const seat = seats[row.dataset.seatRow];
    row.hidden = !seat;
    if (!seat) continue;
    row.querySelector("[data-name]").textContent = seat.textContent;
    row.querySelector("[data-record]").textContent = seat.dataset.record;
    row.querySelector("[data-penalties]").textContent = seat.dataset.penalties || "no penalty";
  }
  reported(cell);
  for (const choice of sheet.querySelectorAll("[data-player]")) {
    const seat = seats[choice.dataset.player];
    choice.checked = false;
    choice.closest("label").hidden = !seat;
    choice.value = seat ? `#${seat.dataset.number}` : "";
  }
  sheet.querySelector("[name=by][value='']").checked = true;
  for (const name of sheet.querySelectorAll("[data-named]")) name.textContent = seats[name.dataset.named]?.textContent ?? "";
  for (const field of sheet.querySelectorAll("[data-table-field]")) field.value = table;
  for (const key of sheet.querySelectorAll("[data-score]")) key.value = `${table} ${key.dataset.score}`;
  const slip = sheet.querySelector("[data-slip-field]");
  if (slip) slip.value = `${table} `;
  for (const one of sheet.querySelectorAll("[data-on]")) one.hidden = !(one.dataset.on in cell.dataset);
  for (const one of sheet.querySelectorAll("[data-off]")) one.hidden = one.dataset.off in cell.dataset;
  for (const act of sheet.querySelectorAll("details")) act.open = false;
  part("entry").open = !cell.dataset.result || "later" in cell.dataset;
  sheet.hidden = false;
  sheet.querySelector("#sheet-head").focus({ preventScroll: true });
  sheet.scrollIntoView({ block: "start" });
}

/// What the players of the open table report.
function reported(cell) {
  cell.querySelectorAll("bdi").forEach((seat, at) => { sheet.querySelector(`[data-seat-row="${at}"] [data-report]`).textContent = seat.dataset.report; });
}

// A second tap was meant for the table that stood there before the sheet opened under it.
document.addEventListener("click", (event) => performance.now() - opened < 400 && (event.preventDefault(), event.stopPropagation()), true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || link.hash === "#main") return;
  const { table: number, show: list, size, close: closes } = link.dataset;
  const own = number ? () => open(link) : closes !== undefined ? close : list !== undefined || size !== undefined ? () => look(link) : null;
  if (!own) return onceThere(event, () => link.click());
  event.preventDefault();
  own();
});

// ---- which tables, and how ----

const LISTS = {
  "": () => true,
  playing: (cell) => !cell.dataset.result,
  extra: (cell) => !cell.dataset.result && Number(cell.dataset.extra) > 0,
  calls: (cell) => cell.classList.contains("call"),
  mine: (cell) => "mine" in cell.dataset,
  featured: (cell) => "featured" in cell.dataset,
};

/// Shows what a link shows; its address is the page's from then on.
function look(link) {
  for (const other of link.parentElement.querySelectorAll(".chip")) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "page");
  const address = new URL(location);
  for (const name of ["show", "size"]) {
    const value = hall.querySelector(`[data-${name}][aria-current]`)?.dataset[name];
    value ? address.searchParams.set(name, value) : address.searchParams.delete(name);
  }
  for (const name of ["done", "floor", "table", "refused", "aside"]) address.searchParams.delete(name);
  history.replaceState(null, "", address);
  const cells = part("cells");
  if (cells) cells.className = `hall ${address.searchParams.get("size") ?? "minutes"}`;
  sift();
}

/// Counts the tables of each list and shows those of one.
function sift() {
  const cells = [...hall.querySelectorAll("[data-table]")];
  for (const chip of hall.querySelectorAll("[data-show]")) chip.querySelector("span").textContent = cells.filter(LISTS[chip.dataset.show]).length;
  const is = LISTS[hall.querySelector("[data-show][aria-current]")?.dataset.show ?? ""];
  for (const cell of cells) cell.hidden = !is(cell);
}

function close() {
  sheet.hidden = true;
  cellOf(table)?.focus();
  table = null;
}

// ---- the queue ----

const queue = new Queue(base, hall.dataset.key, { recorded, refused: (entry) => renew(say(`${entry.typed} was not recorded.`)), agrees, changed: () => show() });

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.queued) return onceThere(event, () => form.requestSubmit(event.submitter));
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  delete fields.back;
  delete fields.key;
  const kind = form.dataset.queued;
  const at = form.dataset.at ?? (fields.call ? `call ${fields.call}` : table);
  const path = ["extend", "floor"].includes(kind) ? "floor" : "orders";
  queue.add(fields, { kind, table: at, round, names: namesAt(table), typed: form.dataset.typed ?? told(kind, fields, event.submitter), path });
  if (fields.call || form.dataset.at !== undefined) {
    event.submitter.disabled = true;
    return;
  }
  form.reset();
  close();
});

/// What cannot wait is done once the desk answers; where it does not, the page stays as it is.
let [isThere, isNeeded] = [false, false];
async function onceThere(event, act) {
  if (isThere) return;
  event.preventDefault();
  isThere = await fetch(`${api}/floor`, { signal: AbortSignal.timeout(4000) }).then(() => true, () => false);
  isNeeded = !isThere;
  show();
  if (isThere) act();
  isThere = false;
}

function told(kind, fields, button) {
  if (kind === "extend") return `Table ${table} +${fields.minutes} minutes`;
  if (fields.call) return button.ariaLabel;
  if (["floor", "order"].includes(kind) && !fields.player) return `${button.textContent} (table ${table})`;
  if (kind === "result") return figures(fields.slip);
  const player = [...cellOf(table)?.querySelectorAll("bdi") ?? []].find((one) => `#${one.dataset.number}` === fields.player);
  return `${fields.takes ?? fields.order} for ${player?.textContent ?? fields.player}`;
}

const namesAt = (number) => [...cellOf(number)?.querySelectorAll("bdi") ?? []].map((one) => one.textContent).join(" – ");

function show() {
  const { waiting, foreign, failed, silentSince, lacksDatabase, isSignedOut } = queue;
  for (const cell of hall.querySelectorAll("[data-table]")) {
    cell.classList.toggle("waits", waiting.some((entry) => entry.table === cell.dataset.table));
  }
  const offline = part("offline");
  const isHeld = waiting.length > 0 && (isSignedOut || silentSince);
  offline.hidden = !isHeld && !isNeeded;
  const number = waiting.length === 1 ? "1 entry waits" : `${waiting.length} entries wait`;
  const since = clock(silentSince ?? new Date());
  const why = isSignedOut ? signedOut() : [lacksDatabase ? `Waiting for the database since ${since}. ` : `No Wi-Fi since ${since}. `];
  const held = [...why, `${number} on this phone: ${waiting.map((entry) => entry.typed).join(", ")}. `];
  if (!isSignedOut) held.push("Do not close or reload this page: without Wi-Fi it does not come back.");
  offline.replaceChildren(...(isHeld ? held : []), isNeeded ? " That needs Wi-Fi: nothing was done." : "");
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
    if (entry.kind && entry.code !== "not-allowed") item.append(button("Send again", `Send ${entry.typed} again`, () => queue.resend(entry)));
    item.append(button("Leave it", `Leave ${entry.typed}`, () => queue.forget(entry)));
    return item;
  }
  const stands = figures(entry.stands);
  const who = entry.names ? ` (${entry.names})` : "";
  item.append(made("strong", `Table ${entry.table}, round ${entry.round}${who}: `), `you entered ${figures(score(entry))}, the desk has ${stands}.`);
  // Once it is decided it stands here until that is recorded.
  if (queue.waiting.some((other) => other.decides === entry.key)) return item;
  item.append(made("br", ""), button(`${stands} is right`, "", () => queue.forget(entry)));
  const reason = `entered as ${score(entry)} on the floor`;
  if ("corrects" in hall.dataset) {
    item.append(button("Mine is right", "", () => decide(entry, { order: "correct", slip: entry.fields.slip, round: entry.round, reason })));
  } else if (last && last.table === entry.table && last.round === entry.round && figures(score(last)) === stands) {
    item.append(button(`Undo ${stands}, record ${figures(score(entry))}`, "", () => {
      takeBack();
      decide(entry, entry.fields, "result", figures(entry.fields.slip));
    }));
  } else {
    item.append(button("Open a dispute", "", () => decide(entry, { order: "dispute", table: entry.table, round: entry.round, claim: reason })));
  }
  return item;
}

/// What was entered otherwise is forgotten once this is recorded.
function decide(entry, fields, kind = fields.order, typed = `${fields.order} (table ${entry.table})`) {
  queue.add(fields, { kind, table: entry.table, round: entry.round, names: entry.names, typed, decides: entry.key });
}

/// The result that was recorded last from this page: it can be taken back.
let last = null;
function takeBack() {
  const { table: at, round: of, typed, seq } = last;
  queue.add({ order: "undo", seq }, { kind: "undo", table: at, round: of, typed: `undo of ${typed}` });
  last = null;
  say("");
}

const score = (entry) => entry.fields.slip.split(" ").slice(1).join(" ");
const clock = (time) => time.toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" });
const say = (text) => { part("told").textContent = text; document.querySelector(".passes")?.remove(); };

function recorded(entry, answer) {
  isNeeded = false;
  say(entry.path === "floor" ? `Done: ${entry.typed}.` : `${entry.typed} is recorded.`);
  if (entry.kind === "result") last = { ...entry, seq: answer.first_seq };
  renew(); // what is one's own stands in a list, where it is taken back
  const decided = entry.decides && queue.entries.find((other) => other.key === entry.decides);
  if (decided) queue.forget(decided);
  if (entry.round !== round) return;
  if (entry.kind === "undo") entered(entry.table, "");
  if (["result", "correct"].includes(entry.kind)) entered(entry.table, score(entry));
  if (entry.kind === "extend") extended(entry.table, Math.max(0, Number(cellOf(entry.table)?.dataset.extra) + Number(entry.fields.minutes)));
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
    cell.querySelector("small").textContent = ["postponed", "void"].includes(result) ? result : result ? "✓ in" : Number(extra) > 0 ? `+${extra}` : "playing";
  }
  sift();
  cell.dataset.about = [result ? `result ${result}` : "playing", Number(extra) > 0 ? `${extra} minutes more` : ""].filter(Boolean).join(", ");
}
const entered = (number, result) => mark(number, (cell) => { cell.toggleAttribute("data-later", result === "postponed"); cell.dataset.result = figures(result); });
const extended = (number, minutes) => mark(number, (cell) => { cell.dataset.extra = minutes; });

/// Another round is out: its tables are one button away, and what is open here stays.
function fresh(round) {
  const [link, name] = [part("fresh").firstElementChild, called(round)];
  link.textContent = `${name[0].toUpperCase()}${name.slice(1)} is out: show its tables`;
  part("fresh").hidden = false;
}

/// Puts what the desk shows now in the place of the calls and the tables; many changes at once are one.
let [renewing, due, awaySince] = [null, 0, null];
function renew(_, after = 400) {
  const then = performance.now() + after;
  if (renewing && due <= then) return;
  clearTimeout(renewing);
  due = then;
  renewing = setTimeout(async () => {
    renewing = null;
    const text = await fetch(location.href).then((answer) => answer.text()).catch(() => "");
    const now = new DOMParser().parseFromString(text, "text/html").querySelector("[data-hall]");
    const swap = (name) => {
      const [here, there] = [part(name), now?.querySelector(`[data-${name}]`)];
      if (here && there) (here.replaceChildren(...there.childNodes), here.hidden = there.hidden);
    };
    swap("second");
    // A round that was taken back has no table here any more, nor has one that is over once the next one is drafted.
    if (now?.dataset.round !== round) return Number(now?.dataset.round) < Number(round) && !queue.waiting.length && !table ? location.reload() : undefined;
    const known = [...hall.querySelectorAll("[data-call]")].map((one) => one.dataset.call);
    const focused = document.activeElement?.dataset.table;
    const wasOpen = part("own").querySelector("details")?.open;
    ["calls", "own", "cells"].forEach(swap);
    if (wasOpen) part("own").querySelector("details")?.setAttribute("open", "");
    const one = [...hall.querySelectorAll(".wants[data-call]")].find((wants) => !known.includes(wants.dataset.call));
    if (one) say(`New call: ${one.querySelector(".t").textContent}.`);
    if (focused) cellOf(focused)?.focus({ preventScroll: true });
    if (cellOf(table)) reported(cellOf(table));
    show();
    sift();
  }, after);
}

const live = {
  open() {
    if (!awaySince) return;
    awaySince = null;
    say("Connected again.");
    renew();
  },
  error() {
    awaySince ??= new Date();
    say(`Not connected since ${clock(awaySince)}.`);
  },
  published: fresh,
  unpublished: (data) => (String(data.round) === round && !queue.waiting.length ? location.reload() : undefined),
  // What waits on this phone is told of first.
  closed: () => (queue.waiting.length ? say("The tournament is closed.") : location.reload()),
  floor(data) {
    if (data.version <= version) return;
    version = data.version;
    if (String(data.clock?.round) === round && !document.querySelector("[data-clock]") && !queue.waiting.length) location.reload();
    renew();
  },
};
// What is to decide is told at once to those who see drafts, and to everybody else where the line says that it is there.
for (const kind of ["claim", "dispute", "ruled", "pairing", "second", "alive", "poll"]) live[kind] = renew;
// What was taken back has no score any more.
for (const kind of ["result", "corrected", "missing"]) {
  live[kind] = (data) => renew(String(data.round) === round && entered(data.table, data.score ?? ""), 4000);
}
follow(base, null, live);

queue.failed.filter((entry) => isOver(entry, round)).forEach((entry) => queue.forget(entry));
show();
queue.send();
