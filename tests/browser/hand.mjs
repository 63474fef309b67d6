// What the entry page says while a table is in hand and while one's own pile is checked, and how its field is
// left. Prints one line of JSON for each thing that was seen.

import { begin, sent, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 12 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const page = await desk.comes("scorekeeper", "Olga");
await page.goto(`${desk.origin}/t/${id}/entry`);
await page.waitForSelector("[data-live].on");
const told = async () => (await page.locator("[data-say]").textContent()).replace(/ \+ is right.*/, "");
await typeLines(page, ["1 2-0", "2 2-0", "3 2-0", "4 2-0"]);
await sent(page);

await page.keyboard.type("1");
say("typed", await told());
await page.keyboard.press("Backspace");
// Somebody else enters the table that is in hand.
await page.keyboard.type("5\n");
await desk.post(`/tournaments/${id}/orders`, { order: "result", slip: "5 1-2" });
await page.waitForSelector('[data-table="5"][hidden]', { state: "attached" });
say("entered by another", await told());
await page.keyboard.press("Escape");

// One is right, the next one is corrected by one digit, the digit of the third one is typed once more.
await page.locator("[data-check]").click();
const pile = [await told()];
for (const key of ["+", "3", "4", "+"]) {
  await page.keyboard.press(key);
  await sent(page);
  pile.push(await told());
}
say("pile", pile);
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("corrected", tables.slice(0, 4).map((table) => table.result));

await page.keyboard.press("Escape");
const focus = await page.evaluate(() => document.activeElement.tagName);
// Whoever goes on typing means a name: no letter of it leads anywhere.
await page.keyboard.type("jade");
const stays = { key: page.url().split("/").pop(), told: await told() };
await page.keyboard.type("3");
const number = await page.locator("#slip").inputValue();
for (let at = 0; at < 3; at += 1) await page.keyboard.press("Escape");
await Promise.all([page.waitForNavigation(), page.keyboard.press("d")]);
say("left", { focus, stays, number, key: page.url().split("/").pop() });
say("broken", desk.broken);
await desk.browser.close();
