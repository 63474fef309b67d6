// A screen turns its pages by itself and looks for what is new after the last one. What the desk tells
// it to show, an announcement and a new round are shown at once.

import { follow } from "./stream.js";

const pages = [...document.querySelectorAll("[data-page]")];
const where = document.querySelector("[data-where]");
const bar = document.querySelector("progress");
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const SECONDS = 12;

let at = 0;
let left = SECONDS;

function show() {
  pages.forEach((page, number) => { page.hidden = number !== at; });
  if (where) where.textContent = pages[at]?.dataset.page ?? "";
}

function turn() {
  at += 1;
  if (at >= pages.length) {
    // All was shown: whatever is new is read with the first page.
    location.reload();
    return;
  }
  left = SECONDS;
  show();
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
setInterval(() => {
  left -= 1;
  if (bar && !still) bar.value = SECONDS - left;
  if (left <= 0) turn();
}, 1000);

const base = document.body.dataset.base;
if (base) {
  const known = Number(document.body.dataset.floor);
  const again = () => location.reload();
  // What turns no pages has nothing to wait for.
  const news = () => { if (!pages.length) again(); };
  let before = null;
  const floor = (floor) => {
    document.dispatchEvent(new CustomEvent("floor:clock", { detail: floor.clock }));
    const shown = JSON.stringify([floor.shows, floor.announcements, Boolean(floor.clock)]);
    if (before === null ? floor.version > known : shown !== before) again();
    before = shown;
  };
  follow(base, null, { floor, published: again, behind: again, result: news, corrected: news, missing: news });
}
