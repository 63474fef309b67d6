// The desk page stays open while results come in: its head, its steps and what is below them say the same.
// Prints one line of JSON for each thing that was seen.

import { begin, sent, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 8 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const keeper = await desk.comes("scorekeeper", "Olga");
await keeper.goto(`${desk.origin}/t/${id}/entry`);
const head = await desk.comes("head-judge", "Hedda");
await head.goto(`${desk.origin}/t/${id}/desk`);
await head.waitForSelector("[data-live].on");
// Somebody among everybody looks at the standings.
const visitor = await (await desk.browser.newContext()).newPage();
await visitor.goto(`${desk.origin}/t/${id}/standings`);
await visitor.waitForSelector("[data-live].on");
const scored = () => [...document.querySelectorAll("tbody td")].filter((cell) => /^1.0.0$/.test(cell.textContent)).length;
say("standings before", [await visitor.evaluate(scored), await visitor.locator(".cutline").count()]);
await typeLines(keeper, ["1 2-0", "2 2-1"]);
const said = () => head.evaluate(() => [
  document.querySelector("[data-in]")?.textContent,
  document.querySelector("[aria-current=step] span").textContent,
  document.querySelector(".next").textContent.match(/\d+ (table|of)[^.]*/)?.[0],
  document.querySelector(".side caption span")?.textContent,
]);
await head.waitForFunction(() => document.querySelector(".phases").textContent.includes("2 of 4"), null, { timeout: 10_000 });
say("desk", await said());
await visitor.waitForFunction(() => [...document.querySelectorAll("tbody td")].filter((cell) => /^1.0.0$/.test(cell.textContent)).length === 2, null, { timeout: 15_000 });
say("standings", await visitor.evaluate(scored));
say("news", await head.locator("[data-live] a").count());
// What is focused stays so.
await head.locator(".next :is(a, button)").focus();
await typeLines(keeper, ["3 2-0"]);
await head.waitForFunction(() => document.querySelector(".phases").textContent.includes("3 of 4"), null, { timeout: 10_000 });
say("focus", await head.evaluate(() => document.activeElement.closest(".next") !== null));
await typeLines(keeper, ["4 2-0"]);
await sent(keeper);
await head.waitForFunction(() => document.querySelector(".side").textContent.includes("No table of round 1 is missing"), null, { timeout: 10_000 });
say("all in", await said());
say("broken", desk.broken);
await desk.browser.close();
