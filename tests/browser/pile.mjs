// A pile of 500 slips of 1,200 players is typed without waiting: `12`, Enter and one digit, and each second
// one as a whole line; two other desks enter the rest of the round meanwhile. Prints one line of JSON for each
// thing that was seen.

import { begin, sent, wired } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const [SLIPS, OTHERS] = [500, 100];
/// The slips that are typed while the desk answers nothing.
const [HELD_FROM, HELD_TO] = [100, 120];
const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 2 * (SLIPS + OTHERS) }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const beside = await Promise.all(["Hugo", "Rita"].map((name) => wired(desk, id, name)));
const page = await desk.comes("scorekeeper", "Olga");
await page.goto(`${desk.origin}/t/${id}/entry`);
await page.waitForFunction(() => document.querySelector("[data-say]").textContent.includes("one digit"));
const keys = await page.locator("[data-slip][data-digit]").evaluateAll((all) => all.map((one) => [one.dataset.digit, one.dataset.slip]));

// The page itself notes how long after a key the next picture was due.
await page.evaluate(() => {
  window.slowest = 0;
  document.addEventListener("keydown", (event) => requestAnimationFrame(() => {
    window.slowest = Math.max(window.slowest, performance.now() - event.timeStamp);
  }), true);
});
const typed = {};
let others = Promise.resolve();
/// The next slip of each of the other desks, once their last one was answered.
function entersBeside(table) {
  const tables = beside.map((_, at) => SLIPS + 2 * (table / 10) - 1 + at);
  for (const one of tables) typed[one] = "2-1";
  others = others.then(() => Promise.all(beside.map((post, at) => post(tables[at], "2-1"))));
  others.catch(() => {}); // It fails where it is waited for.
}
let release;
const began = performance.now();
for (let table = 1; table <= SLIPS; table += 1) {
  if (table % 10 === 0) entersBeside(table);
  if (table === HELD_FROM) {
    const held = new Promise((resolve) => { release = resolve; });
    await page.route("**/orders", async (route) => { await held; await route.continue(); });
  }
  const [digit, slip] = keys[table % keys.length];
  // Agreed by both: the log has the games that were drawn.
  typed[table] = slip === "id" ? "0-0-3 agreed" : slip;
  // The same key twice at once is one that bounces: nobody types as fast.
  if (table % 2 === 0 && String(table)[0] === keys[(table - 1) % keys.length][0]) await page.waitForTimeout(60);
  await page.keyboard.type(table % 2 ? `${table}\n${digit}` : `${table} ${slip}\n`);
  if (table === HELD_TO) {
    say("typed unanswered", Number(/^(\d+) being sent/.exec(await page.locator("[data-queue]").textContent())?.[1]));
    release();
    await page.unrouteAll({ behavior: "wait" });
  }
}
const last = performance.now();
const waiting = await page.locator("[data-queue]").textContent();
await sent(page);
const answered = performance.now();
say("times", {
  "typing, ms": Math.round(last - began),
  "from the last key to the last answer, ms": Math.round(answered - last),
  "slowest key, ms": Math.round(await page.evaluate(() => window.slowest)),
  "waiting at the last key": waiting,
});
await others;
say("refused", await page.locator("[data-errors] li").count());
await page.waitForFunction(() => document.querySelector("[data-missing-count]").textContent === "0");
say("missing", (await desk.get(`/tournaments/${id}`)).missing);
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("wrong", tables.filter((table) => table.result !== typed[table.table]).map((table) => `${table.table} ${table.result}, typed ${typed[table.table]}`));
let [recorded, after] = [{}, 0];
for (;;) {
  const { log } = await desk.get(`/tournaments/${id}/log?after=${after}`);
  if (!log.length) break;
  for (const { by } of log.filter((line) => line.kind === "result")) recorded[by] = (recorded[by] ?? 0) + 1;
  after = log.at(-1).seq;
}
say("recorded", recorded);
say("broken", desk.broken);
await desk.browser.close();
