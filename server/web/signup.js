// Names are enrolled one after another without waiting: Enter hands the name to the queue, and the field
// is empty for the next one at once, whatever is on its way. Without this script the form posts by itself.

import { heldLine, signedOut } from "./held.js";
import { button as pressed, made } from "./own.js";
import { Queue } from "./queue.js";

/// Codes that are asked about: the field that says so, its button, and as what somebody is enrolled then.
const SAME = [["same_name", "Another person", "as another person"]];
const ASKED = { "name-taken": SAME, "named-twice": SAME, "division-alike": [["new_division", "Another division", "in another division"]] };

const { base } = document.body.dataset;
const forms = [...document.querySelectorAll("[data-signup]")];
if (base && forms.length) start();

function start() {
  const [line, errors] = ["[data-signup-queue]", "[data-signup-errors]"].map((one) => document.querySelector(one));
  let enrolled = 0;
  let last = null; // what was recorded last, until the list shows it
  let isLooking = false;
  const button = (label, about, act) => pressed(label, about, act, "plain sm");

  const queue = new Queue(base, forms[0].querySelector("[name=key]").value, { recorded, refused: draw, changed: draw });
  addEventListener("beforeunload", (event) => queue.waiting.length && event.preventDefault());

  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = Object.fromEntries(new FormData(form));
      for (const around of ["key", "seen", "back"]) delete fields[around];
      const typed = fields.name.trim();
      if (!typed) return;
      // Those who come late come together: what was ticked for one holds for the next.
      const ticked = [...form.querySelectorAll("[type=checkbox]:checked:not([name=same_name], [name=new_division])")];
      form.reset();
      for (const tick of ticked) tick.checked = true;
      const field = form.querySelector("[name=name]");
      // What completes names lets go of the one that was taken.
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
      queue.add(fields, { typed, table: null, kind: "enroll" });
    });
  }

  function draw() {
    // Refused slips are mended on the entry page.
    const refused = queue.failed.filter((entry) => entry.fields.name);
    const [waiting, failed] = [queue.waiting.length, refused.length];
    line.classList.toggle("waits", waiting > 0 && (queue.isSignedOut || queue.silentSince !== null));
    if (waiting && queue.isSignedOut) line.replaceChildren(...signedOut(), `${waiting} wait here.`);
    else if (waiting && queue.silentSince) line.textContent = `${queue.silence} ${queue.silentSince.toLocaleTimeString([], { hour12: false })}: ${waiting} wait here and are sent again. Go on typing.`;
    else if (waiting) line.textContent = `${waiting} being enrolled. Go on typing.`;
    else if (failed) line.textContent = `${failed} to mend.`;
    else line.textContent = enrolled ? `${enrolled} enrolled; the field is ready for the next.` : "";
    errors.hidden = !failed && !queue.foreign.length;
    errors.replaceChildren(...queue.foreign.map((entry) => heldLine(queue, entry, button)), ...refused.map(errorLine));
  }

  function errorLine(entry) {
    const one = document.createElement("li");
    const hint = entry.hint && !entry.hint.includes("`scrutineer") && !ASKED[entry.code] ? ` ${entry.hint.replaceAll("`", "")}.` : "";
    one.append(made("strong", `${entry.typed} was not recorded. `), `${entry.error}.${hint}`, document.createElement("br"));
    const field = document.querySelector("[data-signup] [name=name]");
    for (const [said, label, how] of ASKED[entry.code] ?? []) {
      one.append(button(label, `Enroll ${entry.typed} ${how}`, () => {
        entry.fields[said] = "true";
        queue.resend(entry);
        field.focus();
      }));
    }
    if (entry.fields.name) {
      one.append(button("Type it again", `Type ${entry.typed} again`, () => {
        // What is being typed meanwhile is not taken away.
        if (!field.value) {
          field.value = entry.typed;
          queue.forget(entry);
        }
        field.focus();
      }));
    }
    // What is typed next is a name, not a shortcut.
    one.append(button("Leave it", `Leave ${entry.typed}`, () => (queue.forget(entry), field.focus())));
    return one;
  }

  function recorded(entry, answer) {
    if (entry.kind === "enroll") enrolled += 1;
    last = answer.first_seq ?? last;
    draw();
    look();
  }

  /// The list is read anew beside what is being typed: the fields are left alone.
  async function look() {
    if (isLooking) return;
    isLooking = true;
    try {
      while (last !== null) {
        const here = new URL(location.href);
        for (const field of ["refused", "aside"]) here.searchParams.delete(field);
        here.searchParams.set("done", last);
        last = null;
        const answer = await fetch(here);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const ticked = [...document.querySelectorAll("[data-regulars] :checked")].map((one) => one.parentElement.textContent);
        for (const part of [".where", "[data-said]", "[data-players-head]", "[data-players-list]", "[data-regulars]"]) {
          const [old, fresh] = [document, page].map((of) => of.querySelector(part));
          if (old && fresh) old.replaceChildren(...fresh.childNodes);
        }
        for (const one of document.querySelectorAll("[data-regulars] [name=tick]")) one.checked = ticked.includes(one.parentElement.textContent);
        document.dispatchEvent(new CustomEvent("page:known", { detail: Number(page.body.dataset.head) }));
      }
    } catch { /* The list is behind until the page is loaded again; the names are recorded. */ } finally {
      isLooking = false;
    }
  }

  draw();
  queue.send();
}
