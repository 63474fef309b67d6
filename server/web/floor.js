// The floor on a phone. A table opens without asking anybody; results, extra minutes and penalties go
// into a queue that is kept over a reload and sent when there is a network, each under the key that it
// got from the server's page, so that what is sent twice is done once. Where the desk entered the same
// table meanwhile, the judge is told: what agrees goes silently, what differs is listed for one decision.
// Without this script every form posts by itself.

const hall = document.querySelector("[data-hall]");
const base = document.body.dataset.base;
const api = `/api/v1/tournaments/${base.split("/").pop()}`;
const STORE = `scrutineer floor ${base}`;
const part = (name) => hall.querySelector(`[data-${name}]`);
const sheet = part("sheet");
const round = hall.dataset.round;
let version = Number(document.body.dataset.floor);
let table = sheet.hidden ? null : part("number").textContent;
let { count, queue } = load();
let sending = false;
let since = null;

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

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return { count: Number(kept.count) || 0, queue: Array.isArray(kept.queue) ? kept.queue : [] };
  } catch {
    return { count: 0, queue: [] };
  }
}

function keep() {
  try {
    localStorage.setItem(STORE, JSON.stringify({ count, queue }));
  } catch { /* A browser without a memory still sends. */ }
}

hall.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-queued]");
  if (!form) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  delete fields.back;
  count += 1;
  fields.key = `${hall.dataset.key}-${count}`;
  const kind = form.dataset.queued;
  queue.push({ kind, fields, table, round, words: told(kind, fields), path: kind === "extend" ? "floor" : "orders" });
  keep();
  form.reset();
  close();
  show();
  send();
});

function told(kind, fields) {
  if (kind === "extend") return `${table} +${fields.minutes}`;
  if (kind === "result") return fields.slip.replaceAll("-", "–");
  const player = [...cellOf(table)?.querySelectorAll("bdi") ?? []].find((one) => `#${one.dataset.number}` === fields.player);
  return `${fields.takes} for ${player?.textContent ?? fields.player}`;
}

function show() {
  const waiting = queue.filter((entry) => !entry.stands && !entry.error);
  for (const cell of hall.querySelectorAll("[data-table]")) {
    cell.classList.toggle("waits", waiting.some((entry) => entry.table === cell.dataset.table));
  }
  const offline = part("offline");
  offline.hidden = since === null || !waiting.length;
  const number = waiting.length === 1 ? "1 entry waits" : `${waiting.length} entries wait`;
  offline.textContent = `No Wi-Fi since ${since}. ${number} on this phone: ${waiting.map((entry) => entry.words).join(", ")}.`;
  const list = part("differ");
  const open = queue.filter((entry) => entry.stands || entry.error);
  list.hidden = !open.length;
  list.replaceChildren(...open.map(line));
}

function line(entry) {
  const item = document.createElement("li");
  const strong = document.createElement("strong");
  if (entry.error) {
    strong.textContent = `${entry.words} was not recorded: `;
    item.append(strong, entry.error, document.createElement("br"), button("Send again", () => again(entry)), button("Leave it", () => drop(entry)));
    return item;
  }
  strong.textContent = `Table ${entry.table}, round ${entry.round}: `;
  item.append(strong, `you entered ${score(entry).replaceAll("-", "–")}, the desk has ${entry.stands.replaceAll("-", "–")}.`,
    document.createElement("br"), button(`${entry.stands.replaceAll("-", "–")} is right`, () => drop(entry)));
  const reason = `entered as ${score(entry)} on the floor`;
  if ("corrects" in hall.dataset) {
    item.append(button("Mine is right", () => decide(entry, { order: "correct", slip: entry.fields.slip, round: entry.round, reason })));
  } else {
    item.append(button("Open a dispute", () => decide(entry, { order: "dispute", table: entry.table, round: entry.round, claim: reason })));
  }
  return item;
}

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

function drop(entry) {
  queue = queue.filter((other) => other !== entry);
  keep();
  show();
}

function again(entry) {
  delete entry.error;
  keep();
  show();
  send();
}

async function decide(entry, fields) {
  const answer = await post("orders", { ...fields, key: `${entry.fields.key}-decided` });
  if (answer === null) since ??= clock();
  else if (answer.problem) say(answer.problem.detail ?? "It was refused.");
  else drop(entry);
  show();
}

const score = (entry) => entry.fields.slip.split(" ").slice(1).join(" ");
const clock = () => new Date().toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" });
const say = (text) => { part("told").textContent = text; };

async function send() {
  if (sending) return;
  sending = true;
  let entry;
  while ((entry = queue.find((one) => !one.stands && !one.error))) {
    const answer = await post(entry.path, entry.fields);
    if (answer === null) {
      since ??= clock();
      show();
      await new Promise((resume) => { setTimeout(resume, 2000); addEventListener("online", resume, { once: true }); });
      continue;
    }
    if (answer.problem) await refused(entry, answer.problem);
    else done(entry);
    since = null;
    keep();
    show();
  }
  sending = false;
}

/// The answer; null where nobody answered or the desk could not.
async function post(path, fields) {
  try {
    const answer = await fetch(`${base}/${path}`, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields) });
    const read = await answer.json().catch(() => ({}));
    if (answer.ok) return read;
    return answer.status >= 500 || answer.status === 429 ? null : { problem: read };
  } catch {
    return null;
  }
}

function done(entry) {
  queue = queue.filter((other) => other !== entry);
  say(`${entry.words} is recorded.`);
  if (entry.round !== round) return;
  if (entry.kind === "result") entered(entry.table, score(entry));
  if (entry.kind === "extend") extended(entry.table, Number(cellOf(entry.table)?.dataset.extra) + Number(entry.fields.minutes));
}

async function refused(entry, problem) {
  const other = entry.kind === "result" && ["result-stands", "other-round"].includes(problem.code);
  const stands = other ? await standing(entry) : null;
  if (stands === score(entry)) {
    queue = queue.filter((one) => one !== entry);
    if (entry.round === round) entered(entry.table, stands);
  } else if (stands) entry.stands = stands;
  else entry.error = problem.detail ?? problem.title ?? "it was refused.";
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
const entered = (number, result) => mark(number, (cell) => { cell.dataset.result = result.replaceAll("-", "–"); });
const extended = (number, minutes) => mark(number, (cell) => { cell.dataset.extra = minutes; });

if ("EventSource" in window) {
  const source = new EventSource(`${base}/live`);
  const read = (event) => { try { return JSON.parse(event.data); } catch { return {}; } };
  source.addEventListener("result", (event) => {
    const data = read(event);
    if (String(data.round) === round) entered(data.table, data.score ?? "");
  });
  source.addEventListener("published", () => say("A new round is out. Load the page for its tables."));
  source.addEventListener("floor", async (event) => {
    const data = read(event);
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
  });
  addEventListener("pagehide", () => source.close());
}

addEventListener("online", send);
show();
send();
