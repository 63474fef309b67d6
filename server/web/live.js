// One line to the desk: pages say what is new instead of moving under the reader's eyes. The desk page and
// everybody's standings alone renew themselves, so that all of each says the same.

import { count, follow } from "./stream.js";

const { base } = document.body.dataset;
const line = document.querySelector("[data-live]");
// Whoever has a page of their own finds back to it.
const mine = document.querySelector("[data-mine]");
try { if (mine && localStorage.getItem(`scrutineer me ${base}`)) mine.hidden = false; } catch { /* A browser without a memory has its own way back. */ }
const isEntry = document.querySelector("[data-entry]") !== null;

if (base && line) listen();

function listen() {
  let [known, before] = [Number(document.body.dataset.head), line.textContent];
  // What is said stands in the page, in its language.
  const [one, many, fresh, out, mended, closed, away, now, final, semi, quarter, of] = line.dataset.words.split("|");
  const put = (words, what) => words.replace("{n}", what);
  const clock = (time, more = {}) => time.toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit", ...more });
  let [results, head, awaySince, newest, isAsked] = [0, known, null, null, false];
  const other = new Set();

  // Pages that say so are of the staff, and in English.
  const saved = () => `Saved ${clock(new Date(), { second: "2-digit" })}`;

  function show() {
    line.classList.toggle("on", awaySince === null);
    line.classList.toggle("off", awaySince !== null);
    // The entry page shows results itself, and only when the last one was saved.
    if (isEntry && head > known) before = saved();
    const words = [...other].filter((word) => word !== fresh || results + other.size < 2); // Beside what is new it says nothing.
    if (results > 0) words.unshift(put(results === 1 ? one : many, results));
    if (!words.length && head > known && !isEntry) words.push(fresh);
    if (awaySince && !isAsked || !words.length) {
      line.textContent = awaySince ? put(away, clock(awaySince)) : before;
      return;
    }
    if (awaySince) words.unshift(put(away, clock(awaySince)));
    const link = document.createElement("a");
    const here = new URL(location.href);
    for (const field of ["done", "refused", "aside"]) here.searchParams.delete(field);
    link.href = here.href;
    link.textContent = words.join(", ");
    link.title = now;
    line.replaceChildren(link);
    if (!awaySince) renew();
  }

  // ---- the page renews itself, unless somebody types in it or has sent a form ----

  let [renewing, renewed, isSent] = [null, -Infinity, false];
  const isBusy = () => isSent || document.activeElement.matches("main :is(input, textarea, select)");
  const anew = () => (isBusy() ? other.add(fresh) : location.reload());
  document.addEventListener("submit", () => { isSent = true; });
  // Nobody presses what they have not seen yet.
  document.addEventListener("click", (event) => performance.now() - renewed < 500 && event.preventDefault(), true);

  function renew() {
    if (document.querySelector("[data-renews]")) renewing ??= setTimeout(() => {
      renewing = null;
      fetched().catch(() => {});
    }, 500 + Math.random() * (document.body.dataset.who ? 0 : 3000)); // Not all of everybody at once.
  }

  async function fetched(alone) {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) throw answer;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [held, there] = [document.activeElement, Number(page.body.dataset.head)];
    if (alone) return document.querySelector(alone).replaceChildren(...page.querySelector(alone).childNodes);
    if (there > head) head = there;
    if (!(there > known) || !page.querySelector("[data-renews]") || isBusy()) return;
    for (const part of [".where", "main"]) document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
    if (!held.isConnected) [...document.querySelectorAll(`main ${held.localName}`)].find((same) => same.textContent === held.textContent)?.focus();
    renewed = performance.now();
    known = there;
    before = page.querySelector("[data-live]").textContent;
    results = 0;
    other.clear();
    show();
  }

  const on = {
    // Where results are hidden this alone says that the next round is out.
    head({ round, published }) {
      if (published && round > (newest ?? round)) on.published({ round });
      newest = Math.max(newest ?? 0, published ? round : round - 1);
    },
    result(data) {
      if (!isEntry) results += 1;
      count(data);
    },
    missing(data) {
      if (!isEntry) other.add(fresh);
      count(data);
    },
    published(data) {
      // A round of a bracket has a name instead of a number.
      const said = data.places ? { 2: final, 4: semi, 8: quarter }[data.places] ?? put(of, data.places) : put(out, data.round);
      other.add(said);
      newest = Math.max(newest ?? 0, data.round);
      // Spoken once a round, and never for each result.
      document.querySelector("[data-spoken]")?.replaceChildren(said);
      // Whoever waits for pairings has them without asking; not all of them at once.
      if (document.querySelector("[data-awaits]")) setTimeout(() => location.reload(), Math.random() * 3000);
    },
    unpublished: () => document.body.dataset.who && anew(), // The pages of everybody stay as they were.
    pairing: (data) => (document.querySelector(".pairs") ? on.forgotten() : on.missing(data)),
    corrected: () => isEntry || other.add(mended),
    closed: () => other.add(closed), reopened: () => other.add(fresh), behind: () => other.add(fresh),
    copied: () => on.forgotten(), forgotten: () => setTimeout(anew, Math.random() * 3000), // Not all of everybody at once.
    second: ({ stands }, at = document.querySelector("[data-second]")) => at && at.dataset.laptops !== stands && (isEntry || isBusy() ? fetched("[data-second]").catch(() => {}) : location.reload()), // What is in hand stays.
    open() { [awaySince, isAsked] = [null, false]; }, floor() {}, error() { awaySince ??= new Date(); },
    // No line comes through: what is shown is as of when it was asked for last.
    poll: () => isEntry || fetched().then(() => { [awaySince, isAsked] = [new Date(), true]; show(); }).catch(() => { isAsked = false; }),
  };
  // A script of the page has read anew what it shows, up to an event.
  document.addEventListener("page:known", ({ detail }) => {
    known = Math.max(known, detail);
    before = saved();
    results = 0;
    other.clear();
    show();
  });
  const told = ([name, act]) => [name, (data) => {
    if (data.seq) head = Math.max(head, data.seq);
    act(data);
    document.dispatchEvent(new CustomEvent(`live:${name}`, { detail: data }));
    show();
  }];
  follow(base, known, Object.fromEntries(Object.entries(on).map(told)));
}
