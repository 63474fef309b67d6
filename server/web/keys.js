// One letter a page: the key that stands on a tab leads there. Never while somebody types.

const typing = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// A field was left by Escape: whoever types on means its text, and no letter leads anywhere before Escape was
// pressed once more.
let isText = false;
document.addEventListener("focusin", (event) => { if (typing(event.target)) isText = false; });
const hint = (text) => { (document.querySelector("[data-say]") ?? document.querySelector("[data-spoken]") ?? {}).textContent = text; };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const leaves = typing(event.target) && event.target.value === "";
    if (leaves) event.target.blur();
    else if (isText) hint("The keys of the tabs work now.");
    isText = leaves;
    return;
  }
  if (typing(event.target) || event.key.length !== 1) return;
  // A digit is the beginning of a slip.
  const field = document.querySelector(/\d/.test(event.key) ? "#slip" : "input[type=search], #search, #slip");
  if (/[/\d]/.test(event.key)) {
    if (event.key === "/" && field) event.preventDefault();
    field?.focus();
    return;
  }
  const key = CSS.escape(event.key.toLowerCase());
  const link = document.querySelector(`a[data-key="${key}"]`);
  if (link) {
    event.preventDefault();
    if (isText) hint("Nothing was done: letters are keys of the tabs once Escape was pressed again.");
    else link.click();
  }
});

// The current tab is in sight also on a narrow screen.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// A form is posted once, however often its button is pressed; a page that comes back from the
// browser's memory can post again. One that is answered with a file stays, and gives the next one.
const once = (disabled) => (form) =>
  form.querySelectorAll("button:not([type=button])").forEach((button) => { button.disabled = disabled; });
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "post" && !event.defaultPrevented && !("givesFile" in form.dataset)) setTimeout(() => once(true)(form));
});
addEventListener("pageshow", (event) => event.persisted && document.querySelectorAll("form").forEach(once(false)));

// A slider shows at once what it is moved to.
for (const form of document.querySelectorAll("form[data-auto]")) form.addEventListener("change", () => form.requestSubmit());

// The desk and a draft are looked at to do what comes next; where nobody's name or a ruling waits.
function isDesk() {
  return document.querySelector(".tabs [aria-current][data-key=d], .hatch") !== null && location.hash === "";
}

// What stands there already is typed over; after an order Enter does what usually comes next, but for what ends
// a tournament: that is looked for.
// Where somebody was acted on in a list, it goes on at their row.
const isDone = document.querySelector(".said [role=status]");
const acted = isDone && document.querySelector("#chosen a");
const field = document.querySelector("input[autofocus]");
if (acted) { acted.focus(); isText = true; } // Whoever types on means a name.
else if (field) field.select();
else if (isDone || isDesk()) document.querySelector(".next .main:not([data-last]), .bar .main")?.focus({ preventScroll: true });

// What is refused keeps what was typed, in the form where it was typed: it lies in this tab until the page
// is back. What a page says of itself anew is left as it says it.
const shown = (form) => [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit" && one.type !== "password");
const alike = (form) => [...document.forms].filter((one) => one.elements.order?.value === form.elements.order.value).indexOf(form);
document.addEventListener("submit", ({ target }) => {
  if (target.method !== "post" || !target.elements.order || !shown(target).length) return;
  const typed = shown(target).map((one) => (/^(radio|checkbox)$/.test(one.type) ? one.checked : one.value));
  sessionStorage.setItem("typed", JSON.stringify({ path: location.pathname, order: target.elements.order.value, at: alike(target), typed }));
});
const kept = JSON.parse(sessionStorage.getItem("typed") ?? "null");
if (kept?.path === location.pathname) {
  sessionStorage.removeItem("typed");
  const of = [...document.forms].filter((one) => one.elements.order?.value === kept.order)[kept.at];
  if (of && document.querySelector(".said [role=alert]")) {
    shown(of).forEach((one, at) => { if (typeof kept.typed[at] === "boolean") one.checked = kept.typed[at]; else one.value = kept.typed[at] ?? one.value; });
    of.closest("details")?.setAttribute("open", "");
    shown(of)[0]?.focus();
  }
}

// A phone has no Ctrl+P.
for (const one of document.querySelectorAll("[data-print]")) {
  one.hidden = false;
  one.addEventListener("click", () => print());
}

// What was put away stays so in this browser.
for (const one of document.querySelectorAll("details[data-stays]")) {
  one.open = localStorage.getItem(one.dataset.stays) === null;
  one.addEventListener("toggle", () => (one.open ? localStorage.removeItem(one.dataset.stays) : localStorage.setItem(one.dataset.stays, "away")));
}
