// The server is stopped as it is at closing time, and started again: the entry page, the desk and the floor
// say so while it is away, and have afterwards what others entered, without a reload; so they say that a
// second laptop is not heard any more, and where the desk is once that has taken over: there projectors and
// what everybody reads go by themselves. Prints one line of JSON for each thing that was seen.

import { begin, sent, served, typeLines } from "./kit.mjs";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

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

// A second laptop follows, and is gone: pages in which somebody types are told too, and keep what is typed.
const judge = await desk.comes("judge", "Jo");
await judge.goto(at("entry"));
await head.goto(at("players"));
for (const page of [judge, head]) await page.waitForSelector("[data-live].on");
await head.fill("#late-name", "Pl");
for (const page of [keeper, judge]) await page.keyboard.type("3");
const { path } = await desk.post(`/tournaments/${id}/screens`, { another: false });
const { second } = await (await desk.context.request.post(`${desk.origin}/second/code`, { form: { make: "code" }, headers: { Origin: desk.origin, Accept: "application/json" } })).json();
const folder = mkdtempSync(`${tmpdir()}/second-`);
const env = { ...process.env, SCRUTINEER_STORE: `${folder}/store`, SCRUTINEER_KEYS: `${folder}/keys` };
const laptop = (words) => {
  const started = spawn(process.env.SCRUTINEER_PROGRAM, ["serve", "--listen", "127.0.0.2:0", ...words], { stdio: "ignore", env });
  process.on("exit", () => started.kill("SIGKILL"));
  return started;
};
const status = async () => (await desk.context.request.get(`${desk.origin}/second/status`)).json();
const until = async (isSo) => { while (!isSo(await status())) await new Promise((resume) => setTimeout(resume, 100)); };
const follows = laptop(["--second", second]);
await until(({ has_everything: has }) => has);
follows.kill("SIGKILL");
const four = [keeper, judge, head, floor];
await Promise.all(four.map((page) => page.waitForFunction(() => document.querySelector("[data-second]").textContent.includes("it was last heard"), null, { timeout: 30_000 })));
say("typed", [await keeper.inputValue("#slip"), await judge.inputValue("#slip"), await head.inputValue("#late-name")]);

// It comes again and takes over from the first one, which is gone and comes back in its turn.
const hall = await desk.browser.newContext();
const [screen, round] = [await hall.newPage(), await hall.newPage()];
await screen.goto(desk.origin + path);
await round.goto(at("round/1"));
const wall = await desk.context.newPage(); // A screen that somebody of the staff opened.
await wall.goto(at("screen"));
await round.waitForSelector("[data-live].on");
const again = laptop([]);
await until(({ heard_ms: heard }) => heard !== null && heard < 3000);
const { other } = await status();
server.end("SIGKILL");
await server.isGone();
execFileSync(process.env.SCRUTINEER_PROGRAM, ["serve", "--take-over"], { env });
await server.begin();
await Promise.all([keeper, floor].map((page) => page.waitForFunction(() => document.querySelector("[data-second]").textContent.includes("is the desk now"), null, { timeout: 60_000 })));
await Promise.all([screen, round, wall].map((page) => page.waitForURL(`http://${other}/**`, { timeout: 60_000 })));
say("led", [screen.url() === `http://${other}${path}`, round.url() === `http://${other}/t/${id}/round/1`, wall.url() === `http://${other}/t/${id}/screen`]);
const ended = new Promise((resume) => again.on("exit", resume));
again.kill("SIGKILL");
await ended;
rmSync(folder, { recursive: true });
const away = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/;
say("broken", desk.broken.filter((said) => !away.test(said)));
await desk.browser.close();
