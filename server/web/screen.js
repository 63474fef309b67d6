// A screen turns its pages by itself and looks for what is new after the last one. What the desk tells
// it to show, an announcement and a new round are shown at once.

import { follow } from "./stream.js";

const pages = [...document.querySelectorAll("[data-page]")];
const where = document.querySelector("[data-where]");
const bar = document.querySelector("progress");
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const SECONDS = 12;

/// Sets each name as large as it fits its place: by the face and the projector that there are, which nobody
/// knows before. One that would be too small in one line takes two.
function fit() {
  for (const bracket of document.querySelectorAll(".bracket")) {
    const most = Math.max(...[...bracket.querySelectorAll(".matches")].map((list) => list.children.length));
    // Two seats of a match, what stands above them, and some air.
    bracket.style.setProperty("--size", `${Math.min(innerHeight * 0.042, bracket.clientHeight / most / 5)}px`);
  }
  const all = [...document.querySelectorAll("main table :is(bdi, i)")].filter((one) => one.offsetParent);
  for (const one of all) {
    const cell = one.closest("th, td");
    cell.classList.remove("long", "longer", "longest", "two");
    one.style.fontSize = "";
  }
  document.body.classList.add("fitted");
  const ratio = (one) => { // measured at once, then set at once: nothing is laid out twice
    const cell = one.closest("th, td");
    const style = getComputedStyle(cell);
    const room = cell.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const range = document.createRange();
    range.selectNodeContents(one);
    const rest = [...cell.querySelectorAll(".remark, [aria-hidden]")].reduce((sum, one) => sum + one.offsetWidth, 0);
    return { one, cell, high: cell.clientHeight, size: parseFloat(style.fontSize), part: (room - rest) / Math.max(1, range.getBoundingClientRect().width + 1) };
  };
  const found = all.map(ratio).sort((one, other) => one.part - other.part);
  for (const { one, cell, high, size, part: own } of found) {
    // One size, and only the longest smaller: one in eight, and of few the two that are one name here and there.
    const part = Math.min(own, Math.max(0.75, found[Math.min(Math.max(2, found.length >> 3), found.length - 1)].part));
    if (part >= 1) continue;
    const two = part < 0.6 && !cell.closest(".bracket");
    cell.classList.toggle("two", two);
    one.style.fontSize = `${size * (two ? Math.min((0.41 * high) / size, part * 1.7) : part)}px`;
  }
  document.body.dataset.fitted = "";
}

let [at, left] = [0, SECONDS];

function show() {
  pages.forEach((page, number) => { page.hidden = number !== at; });
  if (where) where.textContent = pages[at]?.dataset.page ?? "";
  fit();
}

function turn() {
  at += 1;
  left = SECONDS;
  // All was shown: whatever is new is read with the first page.
  if (at >= pages.length) {
    at = 0;
    again();
  }
  show();
}

/// Shows the page anew once the desk has it; until then what is shown stays, and says that it waits. A projector that shows
/// the error page of its browser would come back for nobody.
let waits = null;
let asks = false;
async function again() {
  if (asks) return;
  asks = true;
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(8000) }).catch(() => null);
  asks = false;
  if (answer?.ok || answer?.headers.has("location")) location.reload(); // The desk is elsewhere: the page is led there. A refusal would stay.
  else wait();
}

function wait() {
  waits ??= new Date();
  const line = document.querySelector("[data-waits]");
  line.textContent = line.dataset.waits.replace("{n}", waits.toLocaleTimeString([], { hour12: false, hour: "2-digit", minute: "2-digit" }));
  line.hidden = false;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === " ") turn();
  if (event.key === "ArrowLeft" && at > 0) {
    at -= 1;
    left = SECONDS;
    show();
  }
});

show();
addEventListener("resize", fit);
document.fonts?.ready.then(fit);
setInterval(() => {
  left -= 1;
  if (bar && !still) bar.value = SECONDS - left;
  if (left <= 0) turn();
}, 1000);

const base = document.body.dataset.base;
if (base) {
  const known = Number(document.body.dataset.floor);
  const news = () => { if (!pages.length) again(); }; // What turns no pages has nothing to wait for.
  let before = null;
  const floor = (floor) => {
    const shown = JSON.stringify([floor.shows, floor.announcements, floor.clock && !floor.clock.ends]);
    if (before === null ? floor.version > known : shown !== before) again();
    before = shown;
  };
  const open = () => { if (waits) again(); }; // What it missed while the desk was gone.
  const second = ({ stands }) => stands ?? again(); // The other laptop is the desk, perhaps; whoever begins to listen is told how it stands.
  follow(base, null, { open, error: wait, floor, second, published: again, unpublished: again, forgotten: again, behind: again, result: news, corrected: news, missing: news, poll: news });
}
