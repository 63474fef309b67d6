// The server is killed in the middle of a round, and started again where it was: what was typed meanwhile
// waits in the entry page, which goes on by itself; then once more, with the page closed while nobody
// answers. Prints one line of JSON for each thing that was seen.

import { begin, sent, served, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 48 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");

const server = served(desk.origin);
const kill = () => server.end("SIGKILL");

const scores = ["2-0", "2-1", "1-2", "0-2"];
const typed = {};
const lines = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => {
  typed[first + at] = scores[(first + at) % 4];
  return `${first + at} ${typed[first + at]}`;
});
const recorded = async () => (await desk.get(`/tournaments/${id}/log`)).log.filter((line) => line.kind === "result").length;
const queue = () => page.locator("[data-queue]").textContent();
const isSilent = () => page.waitForFunction(() => document.querySelector("[data-queue]").textContent.includes("has not answered"));

let page = await desk.comes("scorekeeper", "Olga");
await page.goto(`${desk.origin}/t/${id}/entry`);
// Killed with entries on the way: some are recorded and their answers lost.
await typeLines(page, lines(1, 6));
kill();
await typeLines(page, lines(7, 12));
await isSilent();
say("waits", await queue());
await server.begin();
await sent(page);
say("by itself", { recorded: await recorded(), refused: await page.locator("[data-errors] li").count() });
await typeLines(page, lines(13, 16));
await sent(page);

// Once more, and the page is closed with what waits.
kill();
await typeLines(page, lines(17, 20));
await isSilent();
await page.close({ runBeforeUnload: false });
await server.begin();
page = await page.context().newPage();
await page.goto(`${desk.origin}/t/${id}/entry`);
await sent(page);
await typeLines(page, lines(21, 24));
await sent(page);
await page.waitForFunction(() => document.querySelector("[data-missing-count]").textContent === "0");
say("refused", await page.locator("[data-errors] li").count());
say("kept", await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("queue")).length));
say("recorded", await recorded());
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("wrong", tables.filter((table) => table.result !== typed[table.table]).map((table) => `${table.table} ${table.result}`));
const away = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/;
say("broken", desk.broken.filter((line) => !away.test(line)));
await desk.browser.close();
