// Entering results: `12`, Enter, one digit; or the whole line. What is typed goes into a queue that
// is kept over a reload and sent without waiting; each entry has its key from the beginning, so that
// what is sent twice is recorded once. Without this script the form posts by itself.

const root = document.querySelector("[data-entry]");
const base = document.body.dataset.base;
const round = root?.dataset.round;
const STORE = `scrutineer queue ${base}`;

if (root) start();

function start() {
  const form = root.querySelector("[data-entry-form]");
  const field = form.querySelector("#slip");
  const say = root.querySelector("[data-say]");
  const duel = root.querySelector("[data-duel]");
  const pad = root.querySelector("[data-pad]");
  const queueLine = root.querySelector("[data-queue]");
  const errors = root.querySelector("[data-errors]");
  const own = root.querySelector("[data-own]");
  const count = root.querySelector("[data-missing-count]");
  const correct = root.querySelector("[data-correct]");
  const usual = say.innerHTML;

  const tables = new Map();
  for (const item of root.querySelectorAll("[data-table]")) {
    const seats = [...item.querySelectorAll("[data-seat]")];
    tables.set(item.dataset.table, {
      item,
      names: seats.map((seat) => seat.textContent),
      points: seats.map((seat) => seat.dataset.points),
    });
  }

  let chosen = null; // the table whose digit is awaited
  let locked = null; // a score that holds for a row of tables
  let queue = load();
  let sending = false;
  let offline = false;
  let entered = [...own.querySelectorAll("[data-own-table]")].map((row) => ({
    table: row.dataset.ownTable,
    slip: row.children[1].firstChild.textContent.trim().replaceAll("–", "-"),
  }));

  // ---- what is shown ----

  function tell(text, bad = false) {
    if (text) say.textContent = text;
    else say.innerHTML = usual;
    say.classList.toggle("bad", bad);
  }

  function show(number) {
    const table = tables.get(number);
    for (const [other, { item }] of tables) item.classList.toggle("on", other === number);
    pad?.classList.toggle("wait", !table || chosen !== number);
    duel.replaceChildren();
    // Two rows are there in any case, so that nothing jumps.
    const names = table?.names ?? ["", ""];
    names.forEach((name, at) => {
      const points = table?.points[at];
      const cells = [["seat", at + 1], ["name", name], ["soft", points === undefined ? "" : `${points} points`]];
      for (const [kind, text] of cells) {
        const cell = document.createElement("span");
        cell.className = kind;
        if (kind === "name") {
          cell.dir = "auto";
          cell.classList.toggle("long", name.length > 26);
        }
        cell.textContent = text;
        duel.append(cell);
      }
    });
    for (const column of pad?.querySelectorAll("[data-col]") ?? []) {
      const at = Number(column.dataset.col);
      column.textContent = table?.names.length === 2 ? `${table.names[at]} wins` : ["first wins", "second wins"][at];
    }
  }

  function refresh() {
    const waiting = queue.filter((entry) => !entry.error).length;
    const failed = queue.length - waiting;
    queueLine.classList.toggle("waits", waiting > 0 && offline);
    if (waiting > 0 && offline) queueLine.textContent = `The desk does not answer: ${waiting} wait here and are sent again.`;
    else if (waiting > 0) queueLine.textContent = `${waiting} being sent`;
    else if (failed > 0) queueLine.textContent = `Everything else is sent; ${failed} to mend.`;
    else queueLine.textContent = entered.length && entered[0].at ? `Everything is sent, last at ${entered[0].at}.` : "Everything is sent.";
    count.textContent = [...tables.values()].filter(({ item }) => !item.hidden).length;
    errors.replaceChildren(...queue.filter((entry) => entry.error).map(errorLine));
  }

  function errorLine(entry) {
    const line = document.createElement("li");
    const what = document.createElement("strong");
    what.textContent = `${entry.typed} was not recorded. `;
    line.append(what, entry.error, entry.hint ? ` ${entry.hint}` : "", document.createElement("br"));
    const mend = button("Type it again", () => {
      forget(entry);
      field.value = entry.typed;
      look();
      field.focus();
    });
    line.append(mend, button("Leave it", () => forget(entry)));
    return line;
  }

  function button(label, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", act);
    return made;
  }

  function addOwn(entry) {
    const row = document.createElement("tr");
    row.className = "own-waits";
    row.dataset.key = entry.key;
    const head = document.createElement("th");
    head.scope = "row";
    head.className = "num table";
    head.textContent = entry.table ?? "";
    const score = document.createElement("td");
    score.className = "nowrap";
    score.textContent = entry.score.replaceAll("-", "–");
    const players = document.createElement("td");
    const names = document.createElement("bdi");
    names.textContent = entry.table ? tables.get(entry.table)?.names.join(" – ") ?? "" : "being sent";
    players.append(names);
    row.append(head, score, players);
    own.prepend(row);
    while (own.children.length > 16) own.lastChild.remove();
  }

  // ---- the queue ----

  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(STORE) ?? "[]");
      return Array.isArray(kept) ? kept.filter((entry) => entry.round === round) : [];
    } catch {
      return [];
    }
  }

  function keep() {
    try {
      if (queue.length) localStorage.setItem(STORE, JSON.stringify(queue));
      else localStorage.removeItem(STORE);
    } catch { /* A browser without a memory still sends. */ }
  }

  function forget(entry) {
    queue = queue.filter((other) => other !== entry);
    own.querySelector(`[data-key="${CSS.escape(entry.key)}"]`)?.remove();
    keep();
    refresh();
  }

  function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function take(typed, table, score) {
    const entry = { key: newKey(), typed, table, score, round };
    queue.push(entry);
    keep();
    const known = table && tables.get(table);
    if (known) {
      known.item.hidden = true;
      known.item.dataset.result = score;
    }
    addOwn(entry);
    refresh();
    send();
  }

  async function send() {
    if (sending) return;
    sending = true;
    let entry;
    while ((entry = queue.find((one) => !one.error))) {
      const answer = await post({ order: "result", slip: entry.typed, key: entry.key });
      if (answer === null) {
        offline = true;
        refresh();
        await new Promise((resume) => setTimeout(resume, 2000));
        continue;
      }
      offline = false;
      if (answer.problem) refused(entry, answer.problem);
      else recorded(entry, answer);
      keep();
      refresh();
    }
    sending = false;
  }

  // The answer; null where nobody answered or the desk could not.
  async function post(fields) {
    try {
      const answer = await fetch(`${base}/orders`, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(fields),
      });
      const read = await answer.json().catch(() => ({}));
      if (answer.ok) return read;
      if (answer.status >= 500 || answer.status === 429) return null;
      return { problem: read.error ?? read };
    } catch {
      return null;
    }
  }

  function recorded(entry, answer) {
    queue = queue.filter((other) => other !== entry);
    const row = own.querySelector(`[data-key="${CSS.escape(entry.key)}"]`);
    const table = String(answer.table ?? entry.table ?? "");
    row?.classList.replace("own-waits", "own-new");
    if (row) {
      row.children[0].textContent = table;
      if (answer.score) row.children[1].textContent = answer.score.replaceAll("-", "–");
      row.querySelector("bdi").textContent = tables.get(table)?.names.join(" – ") ?? "";
    }
    const known = tables.get(table);
    if (known) known.item.hidden = true;
    const at = new Date().toLocaleTimeString([], { hour12: false });
    entered.unshift({ table, slip: entry.score, at });
    if (answer.notes?.length) tell(answer.notes[0]);
    if ([...tables.values()].every(({ item }) => item.hidden) && !queue.length) {
      tell("Every result is in. The desk says what comes next.");
    }
  }

  function refused(entry, problem) {
    entry.error = problem.detail ?? problem.message ?? problem.title ?? "It was refused.";
    // A command of the command line helps nobody here.
    entry.hint = problem.code === "result-stands" ? "Correct it below." : problem.hint ?? "";
    if (entry.hint.includes("`scrutineer")) entry.hint = "";
    own.querySelector(`[data-key="${CSS.escape(entry.key)}"]`)?.remove();
    const known = entry.table && tables.get(entry.table);
    // Whatever stands there already stays: only what this entry hid comes back.
    if (known && problem.code !== "result-stands") {
      known.item.hidden = false;
      delete known.item.dataset.result;
    }
    tell(`${entry.typed}: ${entry.error}`, true);
  }

  // ---- what is typed ----

  const slipOf = (digit) => pad?.querySelector(`[data-digit="${digit}"]`)?.dataset.slip;

  function choose(number) {
    const table = tables.get(number);
    if (!table) {
      tell(`There is no table ${number} in this round.`, true);
      return;
    }
    if (locked) {
      take(`${number} ${locked}`, number, locked);
      clear();
      return;
    }
    chosen = number;
    show(number);
    const stands = table.item.dataset.result;
    if (stands) tell(`Table ${number} has ${stands} already. Correct it below.`, true);
    else if (pad && table.names.length === 2) tell("One digit records it. Escape goes back.");
    else tell("Now the score, then Enter.");
    if (stands) {
      correct.querySelector("[name=slip]").value = `${number} `;
    } else if (!pad || table.names.length !== 2) {
      chosen = null;
      field.value = `${number} `;
    }
  }

  function clear() {
    chosen = null;
    field.value = "";
    show(null);
    tell("");
  }

  function look() {
    const number = field.value.trim().split(/\s+/)[0];
    show(tables.has(number) ? number : null);
    if (locked) tell(`Every table gets ${locked}. An empty = ends it.`);
  }

  function line(typed) {
    const [first, ...rest] = typed.split(/\s+/);
    if (typed.startsWith("=")) {
      locked = typed.slice(1).trim() || null;
      clear();
      if (locked) tell(`Every table gets ${locked} now: type a number and Enter. An empty = ends it.`);
      return;
    }
    if (!rest.length && /^\d+$/.test(first)) {
      choose(String(Number(first)));
      return;
    }
    const table = tables.has(first) ? first : null;
    take(typed, table, rest.join(" ") || typed);
    clear();
  }

  function lastEntry() {
    const last = entered[0];
    if (!last) {
      tell("Nothing has been entered here yet.");
      return;
    }
    const slip = correct.querySelector("[name=slip]");
    slip.value = `${last.table} ${last.slip}`;
    slip.focus();
    slip.setSelectionRange(last.table.length + 1, slip.value.length);
    show(last.table);
    tell(`The last entry, table ${last.table}: type the right score below.`);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = field.value.trim().replaceAll(/\s+/g, " ");
    if (!typed || chosen !== null) return;
    line(typed);
  });

  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      locked = null;
      clear();
    } else if (event.key === "Backspace" && field.value === "" && chosen === null) {
      event.preventDefault();
      lastEntry();
    } else if (chosen !== null && /^[0-9]$/.test(event.key)) {
      event.preventDefault();
      const slip = slipOf(event.key);
      if (!slip || tables.get(chosen).item.dataset.result) {
        tell(`${event.key} is no key of this slip.`, true);
        return;
      }
      take(`${chosen} ${slip}`, chosen, slip);
      clear();
    } else if (chosen !== null && event.key.length === 1) {
      // Whoever goes on typing means the whole line.
      chosen = null;
      if (event.key !== " ") field.value += " ";
      pad?.classList.add("wait");
    } else if (chosen !== null && event.key === "Backspace") {
      chosen = null;
    }
  });
  field.addEventListener("input", look);

  pad?.addEventListener("click", (event) => {
    const key = event.target.closest("[data-slip]");
    const number = chosen ?? field.value.trim().split(/\s+/)[0];
    if (!key || !tables.has(number) || tables.get(number).item.dataset.result) return;
    take(`${number} ${key.dataset.slip}`, number, key.dataset.slip);
    clear();
    field.focus();
  });

  root.querySelector("[data-tables]").addEventListener("click", (event) => {
    const item = event.target.closest("[data-table]");
    if (!item || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.value = item.dataset.table;
    choose(item.dataset.table);
    field.focus();
  });

  // What others entered, as the live line tells.
  document.addEventListener("live:result", ({ detail }) => {
    const known = tables.get(String(detail.table));
    if (!known || String(detail.round) !== round) return;
    known.item.hidden = true;
    known.item.dataset.result ??= detail.score ?? "";
    refresh();
  });

  for (const entry of queue.filter((one) => !one.error)) addOwn(entry);
  if (queue.some((entry) => !entry.error)) send();
  if (field.value) look();
  refresh();
}
