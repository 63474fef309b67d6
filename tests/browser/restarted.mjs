// The server is stopped as it is at closing time, and started again: the entry page, the desk and the floor
// say so while it is away, and have afterwards what others entered, without a reload. Prints one line of
// JSON for each thing that was seen.

import { begin, sent, served, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 8 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const at = (path) => `${desk.origin}/t/${id}/${path}`;
const server = served(desk.origin);

const keeper = await desk.comes("scorekeeper", "Olga");
await keeper.goto(at("entry"));
const head = await desk.comes("head-judge", "Hedda");
await head.goto(at("desk"));
const floor = await desk.comes("judge", "Hugo");
await floor.goto(at("floor"));
const pages = [keeper, head];
for (const page of pages) await page.waitForSelector("[data-live].on");
const line = (page) => page.locator("[data-live]").evaluate((one) => ({ text: one.textContent, dot: getComputedStyle(one, "::before").backgroundColor }));
const good = await line(keeper);

server.end("SIGTERM");
await server.isGone();
for (const page of pages) await page.waitForSelector("[data-live].off", { timeout: 10_000 });
await floor.waitForFunction(() => document.querySelector("[data-told]").textContent.startsWith("Not connected since"), null, { timeout: 10_000 });
say("away", (await Promise.all(pages.map(line))).map(({ text, dot }) => [text.replace(/\d\d:\d\d$/, "hh:mm"), dot !== good.dot]));

await server.begin();
const began = Date.now();
for (const page of pages) await page.waitForSelector("[data-live].on:not(.off)", { timeout: 30_000 });
await floor.waitForFunction(() => document.querySelector("[data-told]").textContent === "Connected again.", null, { timeout: 30_000 });
say("seconds", (Date.now() - began) / 1000);
await desk.post(`/tournaments/${id}/orders`, { order: "result", slip: "2 2-1" });
await keeper.waitForSelector('[data-table="2"][hidden]', { state: "attached" });
await floor.waitForSelector('[data-table="2"].in');
await typeLines(keeper, ["1 2-0"]);
await sent(keeper);

await head.waitForFunction(() => document.querySelector(".phases").textContent.includes("2 of 4"), null, { timeout: 10_000 });
say("desk", await head.locator("[aria-current=step] span").textContent());
const away = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/;
say("broken", desk.broken.filter((said) => !away.test(said)));
await desk.browser.close();
