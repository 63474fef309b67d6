// A screen turns its pages by itself and looks for what is new at each turn.

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
