// Entering results by keyboard: `12`, Enter, one digit; or the whole line. The field keeps the focus in
// all that is done here, also while a result is corrected or one's own pile is checked. What is typed
// goes into a queue. Without this script the form posts by itself.

import { called as calledOut, heldLine, isOver, ofRound, signedOut } from "./held.js";
import { Lines } from "./lines.js";
import { Own, beside, button as pressed, figures, made } from "./own.js";
import { Queue } from "./queue.js";

/// How soon behind the first one the same key is no second press, in milliseconds: nobody types as fast.
const BOUNCE = 40;

const root = document.querySelector("[data-entry]");
const base = document.body.dataset.base;
if (root) start();

function start() {
  const part = (name) => root.querySelector(`[data-${name}]`);
  const form = part("entry-form");
  const field = form.querySelector("#slip");
  const [say, duel, pad, band] = ["say", "duel", "pad", "band"].map(part);
  const reason = form.querySelector("#reason");
  const usual = [...say.childNodes];
  const { round, called: here } = root.dataset;
  const corrects = "corrects" in root.dataset;

  const words = (text) => (text ? text.split(" ") : []);
  const lines = new Lines(words(root.dataset.lines), words(root.dataset.shared));

  const tables = new Map();
  for (const item of root.querySelectorAll("[data-table]")) {
    const seats = [...item.querySelectorAll("[data-seat]")];
    tables.set(item.dataset.table, {
      item,
      names: seats.map((seat) => seat.textContent),
      numbers: seats.map((seat) => seat.dataset.seat),
      records: seats.map((seat) => seat.dataset.record),
    });
  }
  const resultOf = (number) => tables.get(number)?.item.dataset.result ?? null;
  const isMissing = (number) => tables.has(number) && resultOf(number) === null;

  // ---- what is done just now ----

  let chosen = null; // the table whose digit is awaited
  let correcting = null; // the table whose right score is awaited
  let saw = null; // what stood there when that was begun
  let lining = null; // the table whose slip is entered line by line
  let pile = null; // the tables of one's own pile that are left, from the one that is looked at
  let piled = 0; // how many there were
  let newer = null; // the round that is out since, where this one is over
  let there = ""; // what that one is called
  let asked = null; // the table of a round that is over, whose correction was asked for once
  let locked = null; // a score that holds for a row of tables
  let dropping = false; // `d` was typed
  const drops = new Set(); // the seats whose players leave
  let last = { key: "", at: -Infinity }; // the digit that ended a slip, and when

  const isIdle = () => field.value === "" && [chosen, correcting, lining, pile, locked].every((one) => one === null);

  function tell(text, bad = false) {
    if (text) say.textContent = text;
    else say.replaceChildren(...usual.map((node) => node.cloneNode(true)));
    say.classList.toggle("bad", bad);
  }

  // ---- what is shown ----

  const typedNumber = () => field.value.trim().split(/\s+/)[0];
  const shownNumber = () => correcting ?? lining ?? chosen ?? pile?.[0] ?? typedNumber();

  /// The name by which somebody is called across a room; both names where that is the same for both.
  function called(names, at) {
    const family = (name) => (name.includes(",") ? name.split(",")[0] : name.replace(/ \(\d+\)$/, "").split(/\s+/).at(-1));
    return names.filter((name) => family(name) === family(names[at])).length > 1 ? names[at] : family(names[at]);
  }

  function draw() {
    const number = shownNumber();
    const table = tables.get(number);
    const stands = resultOf(number);
    part("label").textContent = correcting !== null ? `Correct ${correcting}` : lining !== null ? `Table ${lining}` : pile ? "Pile" : locked ? `All ${figures(locked)}` : "Table";
    for (const [other, { item }] of tables) item.classList.toggle("on", other === number);
    duel.replaceChildren();
    // Two rows are there in any case, so that nothing jumps.
    (table?.names ?? ["", ""]).forEach((name, at) => {
      const cells = [["seat", at + 1], ["name", name], ["soft", table?.records[at] ?? ""]];
      for (const [kind, text] of cells) {
        const cell = document.createElement("span");
        cell.className = kind;
        cell.textContent = text;
        if (kind === "name") {
          cell.dir = "auto";
          cell.classList.toggle("long", name.length > 26);
          if (drops.has(at)) cell.append(" ", made("span", "drops", "tag bad"));
        }
        duel.append(cell);
      }
    });
    const isOpen = correcting !== null || (chosen !== null && isMissing(chosen));
    pad?.classList.toggle("wait", !isOpen);
    for (const key of pad?.querySelectorAll("[data-slip]") ?? []) {
      key.classList.toggle("is", stands !== null && (correcting !== null || pile !== null) && key.dataset.slip === stands);
    }
    for (const column of pad?.querySelectorAll("[data-col]") ?? []) {
      const [at, idle] = [Number(column.dataset.col), (column.dataset.idle ??= column.textContent)];
      column.textContent = table?.names.length === 2 ? `${called(table.names, at)} wins` : idle;
    }
    const differ = part("differ-hint");
    differ.hidden = !table?.item.hasAttribute("data-differ") || stands !== null;
    differ.querySelector("a").href = `${base}/missing#t${number}`;
    band.classList.toggle("hush", correcting === null);
    [reason.disabled, reason.defaultValue] = [correcting === null, stands === "postponed" ? "played" : "entered wrongly"];
    if (correcting !== null) part("stands").textContent = `Table ${correcting} ${stands === "postponed" ? "is" : "has"} ${figures(stands) || "no result"}; it stays readable beside the right one.`;
    part("pile").textContent = own.pile().length;
    part("missing-count").textContent = [...tables.values()].filter(({ item }) => !item.hidden).length;
  }

  function drawQueue() {
    const line = part("queue");
    const [waiting, failed] = [queue.waiting.length, queue.failed.length];
    line.classList.toggle("waits", waiting > 0 && (queue.isSignedOut || queue.silentSince !== null));
    if (waiting > 0 && queue.isSignedOut) line.replaceChildren(...signedOut(), `${waiting} wait here.`);
    else if (waiting > 0 && queue.silentSince) line.textContent = `${queue.silence} ${clock(queue.silentSince)}: ${waiting} wait here and are sent again. Go on typing.`;
    else if (waiting > 0) line.textContent = `${waiting} being sent`;
    else if (failed > 0) line.textContent = `Everything else is sent; ${failed} to mend.`;
    else line.textContent = lastSent ? `Everything is sent, last at ${lastSent}.` : "Everything is sent.";
    const held = queue.foreign.map((entry) => heldLine(queue, entry, button));
    part("errors").replaceChildren(...held, ...queue.failed.map(errorLine).reverse());
    complete();
  }

  /// With its last result the round is complete: what comes next is asked of the desk, and is one button.
  async function complete() {
    const here = part("complete");
    const isIn = () => tables.size > 0 && [...tables.keys()].every((number) => !isMissing(number)) && !queue.waiting.length;
    if (isIn() && !here.childElementCount) {
      const text = await fetch(`${base}/entry`).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
      here.replaceChildren(...new DOMParser().parseFromString(text, "text/html").querySelector("[data-complete]")?.childNodes ?? []);
    }
    if (!isIn()) here.replaceChildren();
    here.hidden = !here.childElementCount;
  }

  const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");
  const clock = (time) => time.toLocaleTimeString([], { hour12: false });

  const button = (label, about, act) => pressed(label, about, () => { act(); field.focus(); }, "plain sm");

  function errorLine(entry) {
    const line = document.createElement("li");
    line.append(made("strong", `${entry.typed} was not recorded. `), ofRound(entry), sentence(entry.error), " ", sentence(entry.hint), document.createElement("br"));
    const again = () => {
      queue.forget(entry);
      reset();
      if (entry.fields.order === "correct") return correct(entry.table);
      field.value = entry.typed;
      draw();
    };
    const isSlip = !entry.kind && entry.fields.slip;
    if (isSlip && isOver(entry, round)) {
      const look = made("a", "Look at that round", "btn plain sm");
      look.href = `${base}/round/${entry.fields.round}`;
      line.append(look);
    } else if (isSlip) line.append(button("Type it again", `Type ${entry.typed} again`, again));
    else if (entry.code !== "not-allowed") line.append(button("Send again", `Send ${entry.typed} again`, () => queue.resend(entry)));
    line.append(button("Leave it", `Leave ${entry.typed}`, () => queue.forget(entry)));
    return line;
  }

  // ---- one's own entries, the newest first ----

  const own = new Own(part("own"), button, corrects ? { undo, correct } : null);
  const addOwn = (entry) => own.add(entry, entry.label ?? beside(tables.get(entry.table)?.names));

  function undo(row) {
    const { seq, ownTable: table } = row.dataset;
    const what = `undo of ${row.children[0].textContent} ${row.children[1].textContent}`.replaceAll("–", "-");
    const entry = queue.add({ order: "undo", seq }, { typed: what, table: table ?? null, undoes: seq, round });
    row.dataset.undoneBy = entry.key;
    row.classList.add("own-waits");
  }

  // ---- the queue ----

  let lastSent = root.dataset.last || null;
  const queue = new Queue(base, root.dataset.key, { recorded, refused, changed: drawQueue });
  addEventListener("beforeunload", (event) => queue.waiting.length && event.preventDefault());

  /// What was refused is settled once its round is over, or its table is in; who is told that another
  /// result stands there, or that a correction was not taken, is told until they have looked.
  function settle(corrected = null) {
    for (const entry of queue.failed.filter((one) => !one.kind)) {
      const stands = resultOf(entry.table);
      const isIn = stands !== null && (stands === entry.score || entry.table === corrected || (entry.fields.order === "result" && entry.code !== "result-stands"));
      const isOpen = entry.code === "result-stands" || entry.fields.order === "correct";
      if (isOver(entry, newer === null ? round : String(newer)) ? !isOpen : isIn) queue.forget(entry);
    }
  }

  /// A result or a correction is sent; who drops is dropped when it is recorded.
  function take(order, typed, table, score) {
    const leave = [...drops].map((at) => ({ number: tables.get(table).numbers[at], name: tables.get(table).names[at] }));
    const fields = { order, slip: typed, round };
    const was = resultOf(table) ?? undefined;
    if (order === "correct") Object.assign(fields, { reason: reason.value.trim() || reason.defaultValue }, was && { was });
    const entry = { typed, table, score, leave, was };
    addOwn(queue.add(fields, entry));
    if (tables.has(table)) putBack(table, score);
  }

  /// What cannot be recorded as it is: it is kept to be mended, and the field is free for the next slip.
  function keep(number, score) {
    const stands = resultOf(number);
    const isSame = stands === score && !drops.size;
    const typed = [number, score, ...[...drops].map((at) => `d${at + 1}`)].join(" ");
    const error = stands === null ? noTable(number) : `Table ${number} ${stands === "postponed" ? "is postponed: once it is played, C enters its result" : `has ${figures(stands)} already`}.`;
    if (!isSame) {
      const [code, hint] = stands === null ? ["no-such-table", ""] : ["result-stands", toCorrect(number)];
      queue.add({ order: "result", slip: typed, round }, { typed, table: number, score, error, code, hint });
    }
    reset();
    tell(isSame ? error : `${error} ${typed} is kept here, to be mended. Go on typing.`, !isSame);
  }

  const noTable = (number) => `There is no table ${number} in this round.`;
  const toCorrect = (number) => `Type ${number}, Enter and C to correct it.`;

  function recorded(entry, answer) {
    lastSent = clock(new Date());
    const isHere = !isOver(entry, round);
    const row = own.rowOf(entry);
    if (entry.undoes) {
      const undone = own.undoneBy(entry);
      undone?.classList.remove("own-waits");
      undone?.classList.add("undone");
      if (entry.table && isHere) putBack(entry.table, undone?.dataset.was ?? null);
      tell(`Undone${entry.table ? `: table ${entry.table} ${resultOf(entry.table) ? "has its old result again" : "is missing again"}` : ""}.`);
    } else if (row) {
      const table = String(answer.table || entry.table || `#${answer.players?.[0]?.number}`);
      own.recorded(row, entry, answer, entry.label ?? beside(tables.get(table)?.names), base);
      if (row.dataset.ownTable && tables.has(table)) putBack(table, row.dataset.slip);
    }
    for (const { number, name } of entry.leave ?? []) {
      addOwn(queue.add({ order: "drop", player: `#${number}` }, { typed: `drop of ${name}`, table: null, score: "drops", label: name }));
    }
    own.actions();
    draw();
    settle();
    drawQueue();
    if (answer.notes?.length && !pile) tell(answer.notes[0]);
    else if (isIdle() && tables.size && [...tables.keys()].every((number) => !isMissing(number)) && !queue.entries.length) {
      tell("Nothing is missing: what comes next stands below.");
    }
  }

  function putBack(table, result) {
    const { item } = tables.get(table);
    item.hidden = result !== null;
    if (result === null) delete item.dataset.result;
    else item.dataset.result = result;
  }

  function refused(entry, problem) {
    // A command of the command line helps nobody here.
    if (problem.code === "result-stands") entry.hint = toCorrect(entry.table);
    else entry.hint = entry.hint.includes("`scrutineer") ? "" : entry.hint.replaceAll("`", "");
    own.rowOf(entry)?.remove();
    if (entry.undoes) own.undoneBy(entry)?.classList.replace("own-waits", problem.code === "already-withdrawn" ? "undone" : "own-new");
    // Whatever stands there already stays: only what this entry hid comes back.
    else if (entry.table && tables.has(entry.table) && !isOver(entry, round) && (problem.code !== "result-stands" || (entry.was && resultOf(entry.table) === entry.score))) putBack(entry.table, entry.was ?? null);
    own.actions();
    draw();
    tell(`${entry.typed}: ${entry.error}`, true);
  }

  // ---- what is typed ----

  const slipOf = (digit) => pad?.querySelector(`[data-digit="${digit}"]`)?.dataset.slip;

  function reset() {
    chosen = correcting = saw = lining = asked = null;
    dropping = false;
    drops.clear();
    field.value = "";
    draw();
    if (pile) lookAt();
    else tell("");
  }

  function choose(number) {
    const table = tables.get(number);
    const stands = resultOf(number);
    if (locked) {
      if (!isMissing(number)) return keep(number, locked);
      take("result", `${number} ${locked}`, number, locked);
      return reset();
    }
    chosen = number;
    draw();
    if (stands !== null) tell(`Table ${number} ${stands === "postponed" ? "is postponed" : `has ${figures(stands)} already`}. C corrects it, Escape goes back; a digit is kept beside.`, true);
    else if (!table) tell(`${noTable(number)} Escape goes back; a digit is kept beside.`, true);
    else if (pad && table.names.length === 2) tell("One digit records it; d1 or d2 before it drops that player. Escape goes back.");
    else if (lines.areSeveral) {
      chosen = null;
      goThrough(number);
    } else {
      chosen = null;
      field.value = `${number} `;
      tell(`Now the score, such as ${root.dataset.such}, then Enter.`);
    }
  }

  function goThrough(number) {
    lining = number;
    lines.begin(tables.get(number)?.names.length ?? 2);
    field.value = "";
    draw();
    tell(`${lines.ask()} Escape goes back.`);
  }

  function takeLine(typed) {
    const { why, slip } = lines.take(typed);
    if (why) return tell(why, true);
    field.value = "";
    if (slip === undefined) return tell(lines.ask());
    const number = lining;
    lining = null;
    if (correcting !== null) return takeCorrection(slip);
    if (!isMissing(number)) return keep(number, slip);
    take("result", `${number} ${slip}`, number, slip);
    reset();
  }

  function correct(number) {
    if (!corrects) return tell("A scorekeeper corrects results.", true);
    if (newer !== null && asked !== number) {
      asked = chosen = number;
      draw();
      return tell(`${sentence(`${here} is over, and ${there} is out`)} C again corrects table ${number} of ${here}; Escape leaves it.`, true);
    }
    chosen = asked = null;
    drops.clear();
    correcting = number;
    saw = resultOf(number);
    field.value = "";
    draw();
    if (lines.areSeveral) goThrough(number);
    else tell(pad ? "One digit corrects it; a space, the score and Enter do it too. Escape goes back." : "Type the right score, then Enter. Escape goes back.");
  }

  function takeCorrection(score, number = correcting) {
    // Somebody else put something in its place since it was looked at.
    if (correcting !== null && saw !== resultOf(number)) return keep(number, score);
    if (score === resultOf(number)) return tell(`Table ${number} has ${figures(score)} already.`, true);
    take("correct", `${number} ${score}`, number, score);
    pile?.shift();
    reset();
  }

  /// Enter in the field.
  function line(typed) {
    if (lining !== null) return takeLine(typed);
    if (correcting !== null) return typed && takeCorrection(typed);
    if (!typed || chosen !== null || pile) return;
    if (typed.startsWith("=")) {
      locked = typed.slice(1).trim() || null;
      reset();
      if (locked) tell(`Every table gets ${figures(locked)} now: number and Enter. = and Enter ends it.`);
      return;
    }
    // A scanner types the code of a slip.
    const scanned = /^R(\d+)[ -]?T(\d+)$/i.exec(typed);
    if (scanned && scanned[1] !== round) return tell(`This is a slip of round ${scanned[1]}, and ${here} is being played.`, true);
    const number = scanned ? scanned[2] : /^\d+$/.test(typed) ? String(Number(typed)) : null;
    if (number !== null) {
      field.value = number;
      return choose(number);
    }
    const [first, ...rest] = typed.split(" ");
    const table = tables.has(first) ? first : null;
    drops.clear();
    const said = rest.filter((word) => {
      const seat = /^d(\d)$/i.exec(word);
      const leaves = seat && table && tables.get(table).numbers[seat[1] - 1];
      if (leaves) drops.add(seat[1] - 1);
      return !leaves;
    });
    take("result", [first, ...said].join(" "), table, said.join(" ") || typed);
    reset();
  }

  // ---- one's own pile, in the order in which it was entered ----

  function lookAt() {
    if (!pile.length) pile = null;
    draw();
    if (!pile) return tell("That was the whole pile.");
    const stands = `table ${pile[0]}, ${figures(resultOf(pile[0])) || "no result"}`;
    tell(`Slip ${piled - pile.length + 1} of ${piled}: ${stands}. + is right, ${pad ? "a digit records what is right instead" : "anything else opens the correction"}.`);
  }

  function keyOfPile(event) {
    const { key } = event;
    const slip = corrects && newer === null && /^[0-9]$/.test(key) && slipOf(key);
    const [table] = pile;
    last = { key, at: event.timeStamp };
    if (key === "+" || (slip && slip === resultOf(table))) {
      pile.shift();
      lookAt();
    } else if (slip) takeCorrection(slip, table);
    else correct(table);
    event.preventDefault();
  }

  part("check")?.addEventListener("click", (event) => {
    event.preventDefault();
    pile = null;
    reset();
    const tables = own.pile().map((row) => row.dataset.ownTable);
    piled = tables.length;
    if (piled) pile = tables;
    if (pile) lookAt();
    else tell("You have entered nothing in this round.");
    field.focus();
  });

  // ---- keys ----

  const enter = (event) => {
    event.preventDefault();
    line(field.value.trim().replaceAll(/\s+/g, " "));
  };
  form.addEventListener("submit", enter);
  // Without a button a form of two fields is not posted by Enter.
  reason.addEventListener("keydown", (event) => event.key === "Enter" && enter(event));

  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const doing = (act) => {
      event.preventDefault();
      act();
    };
    if (key === "Escape") {
      // Nothing is in hand: the field is left, and the keys of the tabs work.
      if (isIdle() && newer === null) return tell("Escape once more, and the keys of the tabs work; a number goes on here.");
      doing(() => {
        if (correcting === null) pile = locked = null;
        reset();
        goOn();
      });
    } else if (key === last.key && field.value === "" && chosen === null && (event.repeat || event.timeStamp - last.at < BOUNCE)) {
      // A key that bounces, or is held, says its digit once.
      doing(() => tell(`The ${key} came twice at once: it counts once.`, true));
      last.at = event.timeStamp;
    } else if (pile && correcting === null) {
      if (key.length === 1 || key === "Enter" || key === "Backspace") keyOfPile(event);
    } else if (key === "Enter") {
      enter(event);
    } else if (lining !== null) {
      if (key === "Backspace" && field.value === "") doing(() => {
        const before = lines.back();
        if (before === null) return reset();
        field.value = before;
        tell(lines.ask());
      });
    } else if (correcting !== null) {
      if (/^[0-9]$/.test(key) && field.value === "" && pad) doing(() => {
        last = { key, at: event.timeStamp };
        if (slipOf(key)) takeCorrection(slipOf(key));
        else tell(`${key} is no key of this slip.`, true);
      });
    } else if (key === "Backspace" && field.value === "" && chosen === null) {
      doing(() => {
        const newest = own.newest();
        if (newest === "") tell("What you typed last is on its way: Backspace opens it once the desk has it.", true);
        else if (newest) correct(newest);
        else tell("You have entered nothing in this round.");
      });
    } else if (chosen !== null) {
      const number = chosen;
      const stands = resultOf(number) !== null;
      if (stands && !dropping && key.toLowerCase() === "c") {
        doing(() => correct(number));
      } else if (asked !== null) {
        if (key.length === 1) event.preventDefault();
        else if (key === "Backspace") chosen = asked = null;
      } else if (dropping) {
        dropping = false;
        const at = Number(key) - 1;
        if (tables.get(number)?.names[at] !== undefined) {
          doing(() => {
            if (!drops.delete(at)) drops.add(at);
            draw();
            const names = [...drops].map((seat) => tables.get(number).names[seat]);
            tell(names.length ? `With this result ${names.join(" and ")} ${names.length > 1 ? "drop" : "drops"}. Now the digit; d${at + 1} again takes it back.` : "Nobody drops. Now the digit.");
          });
        }
      } else if (/^[0-9]$/.test(key) && pad) {
        doing(() => {
          const slip = slipOf(key);
          if (!slip) return tell(`${key} is no key of this slip.`, true);
          last = { key, at: event.timeStamp };
          if (!isMissing(number)) return keep(number, slip);
          take("result", `${number} ${slip}`, number, slip);
          reset();
        });
      } else if (key.toLowerCase() === "d") {
        doing(() => {
          dropping = true;
          tell("Who drops? 1 or 2.");
        });
      } else if (key.length === 1) {
        // Whoever goes on typing means the whole line.
        chosen = null;
        drops.clear();
        if (lines.areSeveral) return goThrough(number);
        if (key !== " ") field.value += " ";
        pad?.classList.add("wait");
      } else if (key === "Backspace") {
        chosen = null;
        drops.clear();
      }
    }
  });

  field.addEventListener("input", () => {
    if (correcting !== null || lining !== null) return;
    draw();
    const number = typedNumber();
    const longer = number && [...tables.keys()].filter((other) => other !== number && other.startsWith(number) && isMissing(other));
    if (locked) tell(`Every table gets ${figures(locked)}. = and Enter ends it.`);
    else if (tables.has(number) && field.value.trim() === number) {
      const more = longer.length ? ` Keep typing for ${longer.slice(0, 4).join(", ")}.` : "";
      const stands = resultOf(number);
      tell(`${stands === null ? `Enter, then ${pad ? "one digit" : lines.areSeveral ? "line by line" : `the score, such as ${root.dataset.such}`}` : `Table ${number} has ${figures(stands)} already`}.${more}`);
    } else tell("");
  });

  pad?.addEventListener("click", (event) => {
    const slip = event.target.closest("[data-slip]")?.dataset.slip;
    const number = chosen ?? typedNumber();
    if (!slip || pile) return field.focus();
    if (correcting !== null) takeCorrection(slip);
    else if (isMissing(number)) {
      take("result", `${number} ${slip}`, number, slip);
      reset();
    }
    field.focus();
  });

  root.addEventListener("click", (event) => {
    const item = event.target.closest("[data-table], [data-change]");
    if (!item || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (item.dataset.change) correct(item.dataset.change);
    else {
      field.value = item.dataset.table;
      choose(item.dataset.table);
    }
    field.focus();
  });

  // What others entered, as the live line tells.
  for (const kind of ["result", "corrected"]) {
    document.addEventListener(`live:${kind}`, ({ detail }) => {
      const known = tables.get(String(detail.table));
      if (!known || String(detail.round) !== round) return;
      known.item.hidden = true;
      known.item.dataset.result = detail.score ?? "";
      if (kind === "corrected") own.corrected(String(detail.table), detail.score ?? "");
      settle(kind === "corrected" ? String(detail.table) : null);
      draw();
      complete();
      // What is said of the table in hand is true no more.
      if (chosen === String(detail.table)) choose(chosen);
      if (correcting === String(detail.table) && saw !== detail.score) tell(`Table ${correcting} got ${figures(detail.score)} meanwhile, by somebody else. Escape goes back: look at it before you correct it.`, true);
    });
  }

  // A result was taken back: by whoever did it, its table is missing, and one's own slip of it stands no more.
  document.addEventListener("live:missing", ({ detail }) => {
    const table = String(detail.table);
    if (!tables.has(table) || String(detail.round) !== round) return;
    putBack(table, null);
    own.takenBack(table, detail.seq);
    draw();
    complete();
  });

  // Another round is out: a page with nothing in hand goes on there, another one says so.
  function goOn() {
    if (newer === null) return;
    if (isIdle() && !queue.waiting.length) return location.replace(`${base}/entry`);
    const link = made("a", `Go to ${there}`, "btn main");
    link.href = `${base}/entry`;
    const band = document.querySelector("[data-newer]");
    band.replaceChildren(made("strong", `${sentence(`${there} is out`)} `), `This page is still at ${here}, which is over. `, link);
    band.hidden = false;
  }

  // The round was taken back: nothing is typed that would put it out again.
  document.addEventListener("live:unpublished", ({ detail }) => String(detail.round) === round && !queue.waiting.length && location.replace(`${base}/entry`));

  document.addEventListener("live:published", ({ detail }) => {
    if (String(detail.round) === round) return;
    [newer, there] = [detail.round, calledOut(detail)];
    settle();
    goOn();
  });

  queue.waiting.filter((entry) => !entry.undoes && !isOver(entry, round)).forEach(addOwn);
  settle();
  queue.send();
  if (root.dataset.correct) correct(root.dataset.correct);
  draw();
  drawQueue();
  own.actions();
}
