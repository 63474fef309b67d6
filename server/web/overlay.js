// An overlay takes over what is new without a blink: a stream must not show a page that loads. Its page may
// have been kept for a while, so the clock counts by the time that the line says.

import { follow } from "./stream.js";

let [skew, asked] = [null, 0];

function count() {
  for (const clock of document.querySelectorAll("[data-counts]")) {
    [clock.dataset.now, clock.dataset.clock] = [Date.now() + skew, ""];
  }
}

async function again() {
  const turn = asked += 1;
  const answer = await fetch(location.href, { cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (turn !== asked) return;
  document.querySelector("main").replaceWith(new DOMParser().parseFromString(text, "text/html").querySelector("main"));
  if (skew !== null) count();
}

follow(document.body.dataset.base, null, {
  floor: ({ now }) => {
    skew ??= now - Date.now();
    count();
    again();
  },
  head: again, poll: again, copied: again,
});
