// How far a season is that is being ranked: the page is whole without this, and says it once.

const told = document.querySelector("[data-season] [data-told]");
const progress = document.getElementById("progress");

async function look() {
  const answer = await fetch("/api/v1/season", { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const stands = await answer.json();
  if (stands.state !== "running") {
    location.replace("/season");
    return;
  }
  progress.max = stands.tournaments || 1;
  progress.value = stands.done;
  const text = `${stands.done} of ${stands.tournaments} tournaments`;
  if (told.textContent !== text) told.textContent = text;
}

// A server that is away for a moment is asked again.
setInterval(() => look().catch(() => {}), 1000);
