// The desk is gone, or its line hangs: every page says so and keeps what it shows; the projector waits for it and
// shows no error of its browser. Prints one line of JSON for each thing that was seen.

import { begin, served } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const desk = await begin(program, ownerLink);
const { browser, origin, post, seen } = desk;
const server = served(origin);
const id = await desk.opened("Friday", Array.from({ length: 8 }, (_, at) => ({ name: `Player ${at + 1}` })));
const { links } = await post(`/tournaments/${id}/player-links`, { players: [1] });
await seen(id, "publish");
const at = (path) => `${origin}/t/${id}/${path}`;

const keeper = await desk.comes("scorekeeper", "Olga");
await keeper.goto(at("desk"));
const screen = await desk.comes("judge", "Hugo");
await screen.goto(at("screen?show=pairings"));
const room = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US" });
const phone = await room.newPage();
await phone.goto(origin + links[0].path);
await Promise.all([phone.waitForNavigation(), phone.click("main form button")]);
for (const page of [keeper, phone]) await page.waitForSelector("[data-live].on");

// What happens elsewhere comes to the head of the phone.
const heads = async () => (await phone.textContent(".where")).match(/\d of \d tables in/)?.[0];
say("before", await heads());
await post(`/tournaments/${id}/orders`, { order: "result", slip: "2 2-1" });
await phone.waitForFunction(() => document.querySelector(".where").textContent.includes("1 of 4"));
say("after a result", await heads());

// An announcement is taken down at the desk, and goes from the phone.
await desk.context.request.patch(`${origin}/api/v1/tournaments/${id}/floor`, {
  data: { do: "announce", text: "Lunch until two" }, headers: { "Idempotency-Key": "lunch", Origin: origin, "Content-Type": "application/json" },
});
await phone.waitForFunction(() => document.body.textContent.includes("Lunch until two"));
await keeper.reload();
if (shots) await keeper.screenshot({ path: `${shots}/desk-announced.png` });
await Promise.all([keeper.waitForNavigation(), keeper.click("text=Take down")]);
await phone.waitForFunction(() => !document.body.textContent.includes("Lunch until two"));
say("taken down", await keeper.locator("text=Take down").count());

// Whoever enrolls without leaving the page sees when the last one was saved.
const door = await desk.comes("scorekeeper", "Petra");
await door.goto(at("players"));
await door.waitForSelector("[data-live].on");
const saved = await door.textContent("[data-live]");
await door.evaluate(() => new Promise((resume) => setTimeout(resume, 1100)));
await door.fill("[data-signup] [name=name]", "Zoe Late");
await door.keyboard.press("Enter");
await door.waitForFunction((saved) => /^Saved \d\d:\d\d:\d\d$/.test(document.querySelector("[data-live]").textContent) && document.querySelector("[data-live]").textContent !== saved, saved);
say("saved", true);

// A laptop whose lid is closed answers nothing, and hangs up nothing.
for (const page of [keeper, phone]) await page.waitForSelector("[data-live].on");
server.pause();
const paused = Date.now();
for (const page of [keeper, phone]) await page.waitForSelector("[data-live].off", { timeout: 90_000 });
say("hangs", [Math.round((Date.now() - paused) / 1000), (await phone.textContent("[data-live]")).replace(/\d\d:\d\d/, "hh:mm")]);
server.goOn();
for (const page of [keeper, phone]) await page.waitForSelector("[data-live].on:not(.off)", { timeout: 90_000 });

// The desk is gone while the projector turns its pages and is told to show another thing.
const names = await screen.locator("main tbody th").count();
server.end("SIGKILL");
await server.isGone();
await screen.waitForSelector("[data-waits]:not([hidden])", { timeout: 60_000 });
for (let turns = 0; turns < 6; turns += 1) await screen.keyboard.press("ArrowRight");
await screen.evaluate(() => new Promise((resume) => setTimeout(resume, 3000)));
say("projector", [(await screen.textContent("[data-waits]")).replace(/\d\d:\d\d/, "hh:mm"), await screen.locator("main tbody th").count() === names && names > 0]);
if (shots) await screen.screenshot({ path: `${shots}/screen-waits.png` });
await server.begin();
await screen.waitForSelector("[data-waits][hidden]", { state: "attached", timeout: 60_000 });
say("back", await screen.locator("main tbody th").count() === names);
await browser.close();
