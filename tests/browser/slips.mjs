// Slips that do not fit where they are typed: no such table, a table that is in, a key that bounces, a second thought,
// two corrections of one table. Prints one line of JSON for each thing that was seen.

import { begin, sent, typeLines } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 40 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const open = async (name) => {
  const page = await desk.comes("scorekeeper", name);
  await page.goto(`${desk.origin}/t/${id}/entry`);
  await page.waitForSelector("[data-live].on");
  return page;
};
const [page, hugo] = [await open("Olga"), await open("Hugo")];
const cards = (of = page) => of.locator("[data-errors] li").allTextContents();
const told = (of = page) => of.locator("[data-say]").textContent();
const results = async () => {
  const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
  return Object.fromEntries(tables.filter((table) => table.result).map((table) => [table.table, table.result]));
};
const leave = async (of = page) => {
  while (await of.locator("[data-errors] button:has-text('Leave it')").count()) await of.locator("[data-errors] button:has-text('Leave it')").first().click();
};

// There is no such table: its digit is kept with it, and begins no other number.
await page.keyboard.type("999\n1");
say("no such table", { cards: await cards(), field: await page.locator("#slip").inputValue() });
await page.keyboard.type("3\n4");
await sent(page);
say("after it", await results());
await leave();

// A table that is in: its slip is kept, and the rest of the pile is recorded, also where one score holds for many.
await page.keyboard.type("3\n1");
await page.keyboard.type("4\n15\n46\n3");
await sent(page);
say("a table that is in", { cards: await cards(), results: await results() });
if (shots) await page.screenshot({ path: `${shots}/slips-kept.png` });
await leave();
await page.keyboard.type("=2-0\n4\n7\n8\n3\n=\n");
await sent(page);
say("many", { cards: await cards(), results: await results() });
await leave();
await page.keyboard.type("3\n4");
say("the same again", { cards: await cards(), told: await told() });

// A key that bounces says its digit once.
await page.keyboard.type("9\n");
const bounced = await page.evaluate(() => {
  const field = document.querySelector("#slip");
  return ["keydown", "keydown"].map((kind) => field.dispatchEvent(new KeyboardEvent(kind, { key: "1", cancelable: true, bubbles: true })));
});
say("bounced", { bounced, told: await told(), field: await page.locator("#slip").inputValue() });
await sent(page);

// The desk does not answer: Backspace opens what was typed last, and it is corrected behind its result.
let arrive;
const away = new Promise((resolve) => { arrive = resolve; });
await page.route("**/orders", async (route) => {
  await away;
  await route.fallback();
});
await page.keyboard.type("10\n1");
await page.keyboard.press("Backspace");
say("opened", await page.locator("[data-label]").textContent());
await page.keyboard.type("3");
arrive();
await sent(page);
await page.unroute("**/orders");
say("second thought", await results());

// Two correct one table at once: the second one is told.
await hugo.waitForFunction(() => document.querySelector('[data-table="10"]').dataset.result === "1-2");
for (const of of [page, hugo]) await of.keyboard.type("10\nc");
await page.keyboard.type("6");
await sent(page);
await hugo.waitForFunction(() => document.querySelector("[data-say]").textContent.includes("meanwhile"));
say("meanwhile", await told(hugo));
await hugo.keyboard.type("4");
await hugo.waitForSelector("[data-errors] li");
say("two corrections", { card: await cards(hugo), result: (await results())[10] });
await hugo.keyboard.type("10\nc4");
await sent(hugo);
say("looked at", { cards: await cards(hugo), result: (await results())[10] });

// All are in: the pile goes on asking after a correction.
await typeLines(page, ["1 2-0", "2 2-0", ...Array.from({ length: 10 }, (_, at) => `${at + 11} 2-0`)]);
await sent(page);
await page.locator("[data-check]").click();
await page.keyboard.type("3");
await sent(page);
say("pile", await told());

// What is to be mended on the entry page is no question on that of the players, where names can be typed at once.
await page.keyboard.press("Escape");
await page.keyboard.type("999\n4");
await Promise.all([page.waitForNavigation(), page.locator('.tabs a[data-key="l"]').click()]);
await page.keyboard.type("Jad");
say("players", { line: await page.locator("[data-signup-queue]").last().textContent(), field: await page.locator("#late-name").inputValue() });
say("broken", desk.broken.filter((line) => !/status of 4\d\d/.test(line)));
await desk.browser.close();
