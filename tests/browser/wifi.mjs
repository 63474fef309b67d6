// The Wi-Fi of a hall of 1,200 is gone for 40 minutes. Three wired desks go on entering the round; two judges
// go on with phones that reach nothing, and what they entered arrives once each when the Wi-Fi is back. The 40
// minutes pass on the phones' own clocks, with every timer of their pages; the desk's clock goes on by the
// seconds that this takes. Prints one line of JSON for each thing that was seen.

import { begin, wired } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const [PLAYERS, MINUTES] = [1200, 40];
const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: PLAYERS }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const base = `${desk.origin}/t/${id}`;

const DESKS = ["Ewa", "Jan", "Rita"];
const desks = await Promise.all(DESKS.map((name) => wired(desk, id, name)));

/// A judge with a phone whose clock can be put on.
async function walks(name) {
  const page = await desk.comes("judge", name, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.clock.install();
  await page.goto(`${base}/floor`);
  return page;
}
const [olga, hugo] = [await walks("Olga"), await walks("Hugo")];
const summary = (sheet, name) => sheet.locator("summary", { hasText: name });
async function at(page, table, act) {
  await page.locator(`[data-table="${table}"]`).click();
  await page.waitForTimeout(500); // A second tap at once does nothing.
  await act(page.locator("[data-sheet]"));
}
const result = (page, table, score) => at(page, table, async (sheet) => {
  if (!(await sheet.locator("[data-score='2-1']").isVisible())) await summary(sheet, "Result").click();
  await sheet.locator(`[data-score="${score}"]`).click();
});
const extend = (page, table, minutes) => at(page, table, (sheet) => sheet.locator(`button[name=minutes][value='${minutes}']`).click());
const penalize = (page, table, why) => at(page, table, async (sheet) => {
  await summary(sheet, "Penalty").click();
  await sheet.locator("[data-player]").first().check();
  await sheet.locator("#why").fill(why);
  await sheet.locator("button", { hasText: "Penalize" }).click();
});

// What the judges enter; a desk has two of those tables meanwhile: 103 with the same score, 303 with another.
const WALKED = [
  [olga, { 101: "2-0", 102: "1-2", 103: "2-1", 104: "0-2", 105: "2-1" }],
  [hugo, { 301: "2-1", 302: "0-2", 303: "2-0", 304: "1-2", 305: "2-0" }],
];
const MEANWHILE = { 103: "2-1", 303: "1-2" };
const scoreAt = (table) => ["2-0", "2-1", "1-2", "0-2"][table % 4];
const wanted = {};
for (let table = 1; table <= PLAYERS / 2; table += 1) wanted[table] = scoreAt(table);
for (const [, scores] of WALKED) Object.assign(wanted, scores);
Object.assign(wanted, MEANWHILE);
const isWalked = (table) => WALKED.some(([, scores]) => table in scores) && !(table in MEANWHILE);
const piles = DESKS.map(() => []);
for (const table of Object.keys(wanted)) if (!isWalked(table)) piles[Number(table) % 3].push(table);
/// Each desk enters the next slips of its pile, one after the other, beside the others.
const enter = (many) => Promise.all(desks.map(async (post, at) => {
  for (const table of piles[at].splice(0, many)) await post(table, wanted[table]);
}));
const missing = async () => (await desk.get(`/tournaments/${id}`)).missing;

await enter(20);
say("missing before", await missing());
const began = performance.now();
for (const page of [olga, hugo]) await page.context().setOffline(true);
/// Ten minutes pass on both phones.
const passes = () => Promise.all([olga, hugo].map((page) => page.clock.fastForward((MINUTES / 4) * 60_000)));
// The judges go on while the desks do.
for (const turn of [0, 1, 2, 3, 4]) {
  await Promise.all([enter(30), ...WALKED.map(async ([page, scores]) => {
    const table = Object.keys(scores)[turn];
    await result(page, table, scores[table]);
  })]);
  // Each phone has noticed it before its clock is put on.
  if (turn === 0) await Promise.all([olga, hugo].map((page) => page.waitForSelector("[data-offline]:not([hidden])")));
  if (turn < 4) await passes();
  if (turn === 1) await Promise.all([penalize(olga, 110, "slow play"), extend(hugo, 310, 5)]);
  if (turn === 2) await Promise.all([extend(olga, 111, 3), penalize(hugo, 311, "a card too many")]);
}
await enter(PLAYERS);
const offline = (page) => page.locator("[data-offline]").textContent();
say("waiting", [await offline(olga), await offline(hugo)]);
// How long the phones have been without a network, as they say it themselves.
say("minutes", await Promise.all([olga, hugo].map((page) => page.evaluate(() => {
  const [, hours, minutes] = /since (\d+):(\d+)/.exec(document.querySelector("[data-offline]").textContent).map(Number);
  const now = new Date();
  return (now.getHours() * 60 + now.getMinutes() - hours * 60 - minutes + 1440) % 1440;
}))));
if (shots) await olga.screenshot({ path: `${shots}/wifi-gone.png` });
say("missing meanwhile", await missing());

async function log() {
  const all = [];
  for (let after = 0; ;) {
    const { log: lines } = await desk.get(`/tournaments/${id}/log?after=${after}`);
    if (!lines.length) return all;
    all.push(...lines);
    after = lines.at(-1).seq;
  }
}
const ofJudges = (lines) => lines.filter((line) => ["Olga", "Hugo"].includes(line.by)).length;
say("arrived meanwhile", ofJudges(await log()));

// The Wi-Fi is back, for both at once.
for (const page of [olga, hugo]) await page.context().setOffline(false);
for (const page of [olga, hugo]) {
  await page.waitForFunction(() => !document.querySelector("[data-table].waits") && document.querySelector("[data-offline]").hidden, null, { timeout: 30_000 });
}
say("seconds", Math.round((performance.now() - began) / 1000));
await hugo.waitForSelector("[data-differ] li", { timeout: 20_000 });
say("told", { Olga: await olga.locator("[data-differ] li").allTextContents(), Hugo: await hugo.locator("[data-differ] li").allTextContents() });
if (shots) await hugo.screenshot({ path: `${shots}/wifi-back.png` });
await hugo.locator("[data-differ] button", { hasText: "is right" }).click();
const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("queue")).length);
say("kept", [await kept(olga), await kept(hugo)]);

const lines = await log();
const tablesBy = (name) => lines.filter((line) => line.kind === "result" && line.by === name).map((line) => Number(/ T(\d+) /.exec(line.sentence)[1])).sort((a, b) => a - b);
say("by judges", { Olga: tablesBy("Olga"), Hugo: tablesBy("Hugo") });
say("by desks", DESKS.map((name) => tablesBy(name).length));
const results = lines.filter((line) => line.kind === "result").map((line) => / T(\d+) /.exec(line.sentence)[1]);
say("results", { recorded: results.length, tables: new Set(results).size });
say("penalties", lines.filter((line) => line.kind === "penalty").map((line) => line.by).sort());
say("extensions", (await desk.get(`/tournaments/${id}/floor`)).extensions);
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("wrong", tables.filter((one) => one.result !== wanted[one.table]).map((one) => `${one.table} ${one.result}, entered ${wanted[one.table]}`));
say("missing", await missing());
say("broken", desk.broken.filter((line) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 409/.test(line)));
await desk.browser.close();
