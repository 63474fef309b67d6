// A copy whose log was rewritten: pages that are open load again and say so, also the overlay of a stream. Prints one
// line of JSON for each thing that was seen.

import { begin } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const desk = await begin(program, ownerLink);
const { browser, origin, seen } = desk;
const id = await desk.opened("Friday", ["Ewa", "Kenji", "Maryam", "Max"].map((name) => ({ name })));
await seen(id, "publish");

// Each page is told once what the server of a copy tells, and has no line after that.
let tell;
const isTold = new Promise((resolve) => { tell = resolve; });
const asked = new Set();
const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block" });
await context.route(/\/live\?/, async (route) => {
  const page = route.request().frame().page();
  await isTold;
  if (asked.has(page)) return route.fulfill({ status: 503, body: "" }).catch(() => {});
  asked.add(page);
  return route.fulfill({ status: 200, contentType: "text/event-stream", body: "event: copied\ndata: {}\n\n" });
});
const [round, standings, overlay] = [await context.newPage(), await context.newPage(), await context.newPage()];
await round.goto(`${origin}/t/${id}/round`);
await standings.goto(`${origin}/t/${id}/standings`);
await overlay.goto(`${origin}/t/${id}/overlay`);
for (const page of [round, standings, overlay]) {
  await page.evaluate(() => { [document.body.dataset.loaded, document.querySelector("main").dataset.shown] = ["once", "once"]; });
}
tell();
const wait = { timeout: 30_000 };
for (const page of [round, standings]) {
  await page.waitForFunction(() => document.readyState === "complete" && document.body.dataset.loaded !== "once", null, wait);
}
await overlay.waitForFunction(() => document.querySelector("main").dataset.shown !== "once", null, wait);
say("loaded anew", await Promise.all([round, standings, overlay].map((page) => page.evaluate(() => document.body.dataset.loaded !== "once"))));
await browser.close();
