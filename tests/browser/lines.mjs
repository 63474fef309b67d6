// Slips of several lines: Enter goes from line to line, and after the last one the result is sent. Prints
// one line of JSON for each thing that was seen.

import { begin, sent } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const made = await desk.post("/tournaments", { title: "Sunday", rules: "carde", phases: ["swiss:2"], slip: "games,points:0..99,rounds/table" });
const id = String(made.tournament?.id ?? made.id ?? made.tournament);
await desk.post(`/tournaments/${id}/orders`, { order: "enroll", people: ["Ann", "Bob", "Cid", "Dee", "Eva", "Fay"].map((name) => ({ name })) });
await desk.post(`/tournaments/${id}/orders`, { order: "pair" });
await desk.seen(id, "publish");
const page = await desk.comes("scorekeeper", "Olga");
await page.goto(`${desk.origin}/t/${id}/entry`);
const told = () => page.locator("[data-say]").textContent();
await page.waitForFunction(() => document.querySelector("[data-say]").textContent.includes("each line"));
const type = async (line) => { await page.keyboard.type(line); await page.keyboard.press("Enter"); };

// Line by line, with one that is wrong, and one that is gone back to.
await type("1");
say("first", await told());
await type("2");
say("wrong", await told());
await page.locator("#slip").fill("");
await type("2 1");
say("second", await told());
await type("17-9");
say("third", await told());
await page.keyboard.press("Backspace");
say("back", await page.locator("#slip").inputValue());
await page.locator("#slip").fill("");
await type("18-9");
await type("4");
say("after", await page.locator("#slip").inputValue());
// The table's line may stay empty, and a ruling ends a slip at once.
for (const line of ["2", "0-2", "3-11", ""]) await type(line);
for (const line of ["3", "w-l no-show"]) await type(line);
await sent(page);
say("focus", await page.evaluate(() => document.activeElement.id));
say("missing", await page.locator("[data-missing-count]").textContent());
// Corrected in the same way.
await page.keyboard.press("Backspace");
say("correct", await told());
for (const line of ["2-0", "9-8", "3"]) await type(line);
await sent(page);
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("results", tables.map((table) => table.result));
say("broken", desk.broken);
await desk.browser.close();
