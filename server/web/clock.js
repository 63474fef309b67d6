// A clock counts down to the moment at which it ends, by the server's time; nobody is asked again.

const clocks = () => document.querySelectorAll("[data-clock]");
let skew = null;

function words(left) {
  const seconds = Math.floor(left / 1000);
  const all = Math.abs(seconds);
  return `${seconds < 0 ? "+" : ""}${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

function tick() {
  for (const clock of clocks()) {
    const ends = Number(clock.dataset.ends);
    // Also of one that is paused: later its time is not now any more.
    skew ??= Number(clock.dataset.now) - Date.now();
    if (!ends) continue;
    const left = ends - (Date.now() + skew);
    clock.textContent = words(left);
    clock.classList.toggle("over", left < 0);
  }
}

/// What a floor says of the clock: when it ends, or what is left while it is paused.
document.addEventListener("floor:clock", ({ detail: clock }) => {
  for (const shown of clocks()) {
    shown.dataset.ends = clock?.ends ?? "";
    if (!clock?.ends) shown.textContent = clock ? words(clock.left) : "";
  }
  for (const part of document.querySelectorAll("[data-paused]")) part.hidden = !clock || part.dataset.paused !== String(!clock.ends);
  tick();
});

tick();
setInterval(tick, 1000);
