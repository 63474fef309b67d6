// A refused slip, and a page that was left open, while the next round comes: neither touches another round
// than its own unasked. Prints one line of JSON for each thing that was seen.

import { begin, sent, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 8 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const at = (path) => `${desk.origin}/t/${id}/${path}`;
const cards = (page) => page.locator("[data-errors] li");
const told = (page) => page.locator("[data-say]").textContent();
const heading = (page) => page.locator("h1").textContent();
const corrections = async () => (await desk.get(`/tournaments/${id}/log`)).log.filter((line) => line.kind === "result corrected").length;

const olga = await desk.comes("scorekeeper", "Olga");
await olga.goto(at("entry"));
const hugo = await desk.comes("scorekeeper", "Hugo");
await hugo.goto(at("entry"));

await typeLines(olga, ["3 3-0"]);
await cards(olga).first().waitFor();
say("card", await cards(olga).first().textContent());
await typeLines(olga, ["3 2-0"]);
await sent(olga);
say("once it is in", await cards(olga).count());

// One that nobody mends stays as long as its round; on the floor of the same browser it says what it is.
await typeLines(olga, ["9 2-0"]);
await cards(olga).first().waitFor();
const floor = await olga.context().newPage();
await floor.goto(at("floor"));
say("on the floor", await floor.locator("[data-differ] li").first().textContent());
await floor.close();

// Hugo has a number in the field when the next round is published, Olga has nothing.
await typeLines(hugo, ["1 2-0", "2 2-0", "4 2-0"]);
await sent(hugo);
// Both see that the round is complete and what comes next: whoever typed its last slip, and whoever looks on.
const complete = async (page) => (await page.locator("[data-complete]:not([hidden])").innerText()).replaceAll(/\s+/g, " ").trim();
say("complete", { here: await complete(hugo), beside: await complete(olga), pile: await hugo.locator("[data-pile]").textContent(), focus: await hugo.evaluate(() => document.activeElement.id) });
await hugo.keyboard.type("3");
await desk.post(`/tournaments/${id}/orders`, { order: "pair" });
await desk.seen(id, "publish");
await olga.waitForFunction(() => document.querySelector("h1").textContent.endsWith("2"), null, { timeout: 10_000 });
await sent(olga);
say("by itself", { at: await heading(olga), cards: await cards(olga).count(), kept: await olga.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("queue")).length) });

await hugo.waitForSelector("[data-newer]:not([hidden])");
if (process.argv[4]) await hugo.screenshot({ path: `${process.argv[4]}/old-round.png` });
say("band", await hugo.locator("[data-newer]").textContent());
await hugo.keyboard.type("\nc1");
say("by number", { told: await told(hugo), corrections: await corrections() });
await hugo.keyboard.press("Backspace");
await hugo.keyboard.press("Backspace");
say("by Backspace", { told: await told(hugo), corrections: await corrections() });
await hugo.keyboard.type("c3");
await sent(hugo);
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("said twice", tables.find((table) => table.table === 4).result);
await hugo.keyboard.press("Escape");
await hugo.waitForFunction(() => document.querySelector("h1").textContent.endsWith("2"), null, { timeout: 10_000 });
say("left", await heading(hugo));
say("broken", desk.broken.filter((line) => !/status of 4\d\d/.test(line)));
await desk.browser.close();
