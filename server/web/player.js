// A player's own page: what they report waits on the phone while there is no network and is sent by itself,
// once; what concerns their table is shown as it happens.

import { Queue } from "./queue.js";
import { count, follow } from "./stream.js";
import { button, made } from "./own.js";
import { notices } from "./notices.js";

const { base, head } = document.body.dataset;
const me = document.querySelector("[data-me]");
const part = (name) => me.querySelector(`[data-${name}]`);
const [waits, about, back, again, refusedWord, leave, away, here, sent, both, unknown, sending, slow, maybe] = me.dataset.words.split("|");
const line = document.querySelector("[data-live]");
const clock = (time) => time.toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" });
const say = (text) => { part("told").textContent = text; };

// What was refused of a match that is over is no question any more, unlike what is of a round that is out again; what somebody wrote of a dispute stays.
const settle = (isOver) => queue.failed.filter((one) => one.fields.do !== "dispute" && isOver(one)).forEach((one) => queue.forget(one));
/// Where the line is known to be gone, whether the desk answers is asked before anything goes.
const goes = () => !(queue.silentSince || awaySince || !navigator.onLine) || fetch(`${base}/me/offline`, { cache: "no-store", signal: AbortSignal.timeout(8000) }).then(({ status }) => status < 500, () => false);
const queue = new Queue(base, me.dataset.key, { goes, recorded: ({ fields }, answer) => { settle((one) => one.fields.do === fields.do && one.fields.round === fields.round); say(answer.recorded ? both : sent); wire(true); renew(); }, refused: () => { wire(true); renew(); }, changed: show });

// Before others see it: a button of a form that is queued can be pressed again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("queued" in form.dataset)) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  for (const name of ["key", "back"]) delete fields[name];
  const typed = (event.submitter?.dataset.typed ?? form.dataset.typed ?? "") + (fields.own ? ` ${fields.own}–${fields.theirs}` : "");
  // Another report is meant instead of one that was never sent; what may be recorded goes before it, and the later one counts.
  for (const one of queue.waiting) if (!one.sent && ["do", "round", "match"].every((name) => one.fields[name] === fields[name])) queue.forget(one);
  queue.add(fields, { table: null, typed, path: "me" });
  setTimeout(show, 400);
  form.closest("details")?.removeAttribute("open");
  moved = performance.now();
}, true);
// A second tap was meant for what stood there before the page moved under it.
let moved = -Infinity;
// While something waits for a network no other page is there, and this one says what waits.
document.addEventListener("click", (event) => queue.silentSince && queue.waiting.length && event.target.closest("a[href]") && (event.preventDefault(), say(away.replace("{n}", clock(queue.silentSince))), part("unsent").scrollIntoView()), true);
document.addEventListener("click", (event) => performance.now() - moved < 400 && event.target.closest("summary, a[href], button") && event.preventDefault(), true);

function show() {
  const { waiting, failed, silentSince, isSlow } = queue;
  if (isSlow || silentSince && !awaySince) wire(isSlow);
  const box = part("unsent");
  const held = waiting.filter(({ at }) => silentSince || Date.now() - at > 300); // What is answered at once is not shown.
  const lines = held.map((entry) => {
    const row = made("p", "");
    const first = () => (entry.sent ? maybe : button(back, `${back}: ${entry.typed}`, () => queue.forget(entry)));
    const buttons = () => [first(), " ", button(again, `${again}: ${entry.typed}`, () => queue.goOn())];
    row.append(made("strong", entry.typed), ` · ${clock(new Date(entry.at))} `, ...(silentSince ? buttons() : [isSlow ? slow : sending]));
    return row;
  });
  const lost = failed.map((entry) => {
    const row = made("p", "");
    row.append(made("strong", `${entry.typed} ${refusedWord} `), entry.code === "not-allowed" ? unknown : `${[entry.error, entry.hint].filter(Boolean).join("; ")} `, button(leave, `${leave}: ${entry.typed}`, () => queue.forget(entry)));
    return row;
  });
  box.hidden = !lines.length && !lost.length;
  const unsent = held.filter((entry) => !entry.sent).length;
  const words = silentSince && held.length ? [unsent ? made("p", waits.replace("{n}", unsent)) : "", ...lines, made("p", about, "small")] : lines;
  box.replaceChildren(...words, ...lost);
}

/// Puts the page as it is now in the place of what is shown; not while somebody types in it.
let renewing = null;
function renew(within = 0) {
  renewing ??= setTimeout(async () => {
    renewing = null;
    const text = await fetch(location.href, { cache: "no-cache" }).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
    const now = new DOMParser().parseFromString(text, "text/html");
    const held = document.activeElement;
    const shown = now.querySelector("[data-part]");
    if (shown && awaySince) wire(false, new Date()); // What is shown is of now, also where no line comes through.
    if (shown && queue.silentSince) queue.goOn();
    if (!shown || held.matches("[data-part] input")) return;
    // What somebody has opened to look at stays open.
    const opened = [...part("part").querySelectorAll("details[open] > summary")].map((one) => one.textContent);
    part("part").replaceChildren(...shown.childNodes);
    for (const one of part("part").querySelectorAll("summary")) if (opened.includes(one.textContent)) one.parentElement.open = true;
    for (const one of [".where", "[data-copied]"]) document.querySelector(one).replaceChildren(...now.querySelector(one).childNodes);
    if (!held.isConnected) [...part("part").querySelectorAll(held.localName)].find((same) => same.textContent === held.textContent)?.focus();
  }, Math.random() * within);
}

// What was kept is renewed as soon as there is a network.
let awaySince = part("kept").hidden ? null : new Date();
function wire(isThere, since = awaySince ?? new Date()) {
  if (queue.silentSince) isThere = false; // what was sent did not arrive, whatever the stream has noticed
  if (isThere && awaySince) renew();
  awaySince = isThere ? null : since;
  line.classList.toggle("on", isThere);
  line.classList.toggle("off", !isThere);
  line.textContent = isThere ? here : away.replace("{n}", clock(awaySince));
}

let known = null;
const live = {
  open: () => wire(true), poll: () => renew(), published: ({ round }) => { settle(({ fields }) => (fields.round ?? me.dataset.round) !== `${round}`); me.dataset.round = round; renew(3000); },
  error: () => wire(false), elsewhere: () => queue.entries.length || location.reload(), // What waits or was refused is read first.
  // Each quarter of a minute: of others' tables nothing else comes here.
  alive: count,
  floor: (data) => {
    const announced = JSON.stringify(data.announcements);
    // A clock that begins has no place on the page yet, nor has what is announced.
    if (data.clock && !document.querySelector("[data-clock]") || announced !== (known ?? announced)) renew(3000);
    known = announced;
  },
};
for (const name of ["own-claim", "own-result", "own-dispute", "own-player", "own-penalty", "own-pairing", "own-floor"]) live[name] = () => renew();
for (const name of ["unpublished", "reopened", "forgotten", "standings", "copied", "own-draft", "own-cut"]) live[name] = () => renew(3000); // One after another.
for (const [name, within] of [["own-ruled", 0], ["closed", 3000]]) live[name] = () => { settle(() => true); renew(within); };
follow(`${base}/me`, Number(head), live, `&player=${me.dataset.player}`);

// From the pages of everybody there is a way back.
try { localStorage.setItem(`scrutineer me ${base}`, me.dataset.player); } catch { /* A browser without a memory has its own way back. */ }

// Where a browser takes that to be safe the last page stays on the phone, for when there is no network.
const worker = navigator.serviceWorker;
worker?.addEventListener("controllerchange", () => fetch(location.href).catch(() => { /* The next one is kept. */ }));
worker?.register(`${base}/me/worker.js`, { scope: `${base}/me`, updateViaCache: "none" }).catch(() => { /* It goes on without. */ });
if (part("notices")) notices(part("notices"), base);

settle(({ fields }) => (fields.round ?? me.dataset.round) !== me.dataset.round || "closed" in me.dataset);
show();
queue.send();
