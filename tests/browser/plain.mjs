// A whole evening in a browser that runs no scripts: sign-up, pairing, results, what is refused, corrected
// and undone, the cut, the bracket and the close, all by forms and links. Prints one line of JSON for each
// thing that was seen.

import { begin, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const PLAYERS = 9;
const desk = await begin(program, ownerLink, { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } });
const { page, origin } = desk;
watch(page, desk.broken);
const submit = (press) => Promise.all([page.waitForNavigation(), press]);
const click = (selector) => submit(page.click(selector));
const text = async (selector) => (await page.locator(selector).first().textContent()).replaceAll(/\s+/g, " ").trim();

await page.goto(`${origin}/new`);
await page.fill("#title", "Friday");
await page.fill("#rules", "mtr");
await page.fill("#phase1", "swiss:3");
await page.fill("#phase2", "single-elimination:4");
await click("form[method=post] button.main");
const base = new URL(page.url()).pathname.replace(/\/[^/]*$/, "");
const id = base.split("/").at(-1);
const go = (path) => page.goto(`${origin}${base}/${path}`);

await go("players");
await page.click("summary:has-text('Write a list')");
await page.fill("#people", Array.from({ length: PLAYERS }, (_, at) => `Player ${at + 1}`).join("\n"));
await click("form:has(#people) button.list");
say("enrolled", await text("[data-said]"));

/// Does what the desk offers next, and publishes where that was a pairing.
async function next() {
  await go("desk");
  const label = await text(".next");
  await click(".next form button");
  await go("round");
  if (await page.locator(".tag.draft").count()) await click("form:has(input[value=publish]) button");
  return label;
}
async function enter(slip) {
  await page.fill("#slip", slip);
  await submit(page.press("#slip", "Enter"));
}
/// Enters what is missing, from the list of what is missing.
async function enterAll(score) {
  await go("entry");
  const tables = await page.locator("[data-table]:not([hidden]) b").allTextContents();
  for (const table of tables) {
    await enter(`${table} ${score}`);
    if (!(await text("[data-said]")).startsWith("Recorded")) throw new Error(`${table} ${score}: ${await text("[data-said]")}`);
  }
  return tables.length;
}

await next();
await go("entry");
if (shots) await page.screenshot({ path: `${shots}/plain-entry.png` });
say("offered", await page.evaluate(() => [...document.querySelectorAll("main button, main kbd")].filter((one) => one.checkVisibility()).map((one) => one.textContent)));
await enter("9 2-0");
say("no table", { said: await text("[data-said]"), kept: await page.inputValue("#slip"), missing: await text("[data-missing-count]") });
await enter("1 3-0");
say("no score", { said: await text("[data-said]"), kept: await page.inputValue("#slip") });
if (shots) await page.screenshot({ path: `${shots}/plain-refused.png` });
await enter("1");
say("no score at all", await text("[data-said]"));
// A table that is chosen from the list is in the field.
await page.locator("[data-table] a").first().click();
await page.waitForLoadState("load");
say("chosen", await page.inputValue("#slip"));
await page.fill("#slip", "1 2-0");
await click("noscript button");
say("recorded", await text("[data-said]"));
// Undone where it was said.
await click("[data-said] form button");
say("undone", { said: await text("[data-said]"), missing: await text("[data-missing-count]") });
say("round 1", await enterAll("2-0"));
// A slip was read wrong: changed beside where it was entered.
await click("[data-own] tr:first-child a[data-change]");
say("correcting", await text("[data-stands]"));
await page.fill("#slip", "4 1-2");
await click("noscript button");
say("corrected", { at: new URL(page.url()).pathname.split("/").at(-2), said: await text("[data-said]") });
// One's own pile, slip by slip.
await go("entry?check=1");
let walked = 0;
while (await page.locator("[data-say] a:has-text('It is right')").count()) {
  walked += 1;
  await click("[data-say] a:has-text('It is right')");
}
say("walked", walked);

// Somebody is dropped who was not meant.
await go("players?player=3");
await page.click("summary:has-text('Drop')");
await click("details[open] form button");
say("dropped", await text("[data-said]"));
await click("[data-said] form button");
say("back", await text("[data-said]"));
say("next of round 1", await next());
// Somebody comes late, into the round that was just paired.
await go("players");
await page.fill("#late-name", "Gus Gray");
await click("form:has(#late-name) button.main");
say("late", await text("[data-said]"));
await enterAll("2-1");
await next();
say("round 3", await enterAll("2-1"));
say("cut", await next());
await next();
say("semi-finals", await enterAll("2-0"));
await next();
say("final", await enterAll("2-1"));
say("close", await next());
await go("standings");
say("first", await text("tbody tr:first-child a"));
for (const path of ["why", "log", "audit", "bracket", "replay", "compare", "cross", "places", "disputes", "what-if", "rules", "missing", "floor", "screen", "print/index"]) {
  const answer = await go(path === "why" ? "standings/1" : path);
  if (answer.status() !== 200) desk.broken.push(`${path}: ${answer.status()}`);
}
let [of, after] = [{}, 0];
for (;;) {
  const { log } = await desk.get(`/tournaments/${id}/log?after=${after}`);
  if (!log.length) break;
  for (const { kind } of log) of[kind] = (of[kind] ?? 0) + 1;
  after = log.at(-1).seq;
}
say("events", of);
say("broken", desk.broken);
await desk.browser.close();
