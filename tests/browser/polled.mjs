// Nothing lets a line through, as a proxy does that answers 503 to it: a player's own page and the standings ask for what
// they show, and the pairings say that something is new. Prints one line of JSON for each thing that was seen.

import { begin } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const desk = await begin(program, ownerLink);
const { browser, origin, post, get, seen } = desk;
const id = await desk.opened("Friday", ["Ewa", "Kenji", "Maryam", "Max"].map((name) => ({ name })));
const { links } = await post(`/tournaments/${id}/player-links`, {});
await seen(id, "publish");
const { tables } = await get(`/tournaments/${id}/rounds/1`);
const [own, other] = tables[0].players.map((player) => links.find((link) => link.player === player.number).path);

async function refused(locale) {
  const context = await browser.newContext({ locale, serviceWorkers: "block" });
  await context.route(/\/live\?/, (route) => route.fulfill({ status: 503, body: "" }));
  return context;
}
async function phone(context, path) {
  const page = await context.newPage();
  await page.goto(origin + path);
  await Promise.all([page.waitForNavigation(), page.click("main form button")]);
  return page;
}
const context = await refused("en-US");
const me = await phone(context, own);
const german = await phone(await refused("de-DE"), other);
const [standings, round] = [await context.newPage(), await context.newPage()];
await standings.goto(`${origin}/t/${id}/standings`);
await round.goto(`${origin}/t/${id}/round`);
const pages = [me, standings, round];
const line = async (page) => (await page.textContent("[data-live]")).replace(/\d\d:\d\d/, "hh:mm");
for (const page of [...pages, german]) {
  await page.waitForSelector("[data-live].off");
  await page.evaluate(() => { document.body.dataset.loaded = "once"; });
}
say("before", await Promise.all(pages.map(line)));
const before = await standings.textContent("main");

await post(`/tournaments/${id}/orders`, { order: "result", slip: "1 2-0" });
const began = Date.now();
const wait = { timeout: 60_000 };
await Promise.all([
  me.waitForSelector(".seat .result", wait),
  german.waitForSelector(".seat .result", wait),
  standings.waitForFunction((before) => document.querySelector("main").textContent !== before, before, wait),
  round.waitForSelector("[data-live] a", wait),
]);
say("seconds", (Date.now() - began) / 1000);
// The next line that is refused says no less.
await me.waitForTimeout(5000);
say("after", await Promise.all(pages.map(line)));
say("in German", await line(german));
say("loaded anew", (await Promise.all(pages.map((page) => page.evaluate(() => document.body.dataset.loaded)))).filter((one) => one !== "once").length);

await context.unroute(/\/live\?/);
for (const page of pages) await page.waitForSelector("[data-live].on:not(.off)", wait);
say("live again", await Promise.all(pages.map(async (page) => !(await line(page)).includes("not connected"))));
await browser.close();
