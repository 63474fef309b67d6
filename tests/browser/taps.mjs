// A judge's taps on the floor: without a network none is lost and none throws the page away; calls, numbers and
// a new round are seen without a reload; a slip of the finger is taken back. Prints one line of JSON for
// each thing that was seen.

import { begin } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 12 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const floor = () => desk.get(`/tournaments/${id}/floor`);
const result = async (table) => (await desk.get(`/tournaments/${id}/rounds/1`)).tables.find((one) => one.table === table).result;
const until = async (seen) => {
  for (let tries = 0; tries < 200 && !(await seen()); tries += 1) await new Promise((resume) => setTimeout(resume, 100));
};
const shot = async (name, page) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };

const page = await desk.comes("judge", "Olga", { viewport: { width: 390, height: 844 } });
await page.goto(`${desk.origin}/t/${id}/desk`);
say("in the navigation", await page.locator(".tabs a", { hasText: "Floor" }).count());
await page.goto(`${desk.origin}/t/${id}/floor`);
const room = page.context();
const pill = (name) => page.locator(`[data-show="${name}"] span`).textContent();
const shown = () => page.locator("[data-table]:not([hidden])").evaluateAll((all) => all.map((one) => one.dataset.table));
async function at(table, act) {
  await page.locator(`[data-table="${table}"]`).click();
  await page.waitForTimeout(500); // A second tap at once does nothing.
  await act(page.locator("[data-sheet]"));
}
const tap = (table, text) => at(table, (sheet) => sheet.locator("button:visible", { hasText: text }).click());
async function enter(table, score) {
  await at(table, async (sheet) => {
    if (!(await sheet.locator("[data-score='2-1']").isVisible())) await sheet.locator("summary", { hasText: "Result" }).click();
    await sheet.locator(`[data-score="${score}"]`).click();
  });
}

// Without a network: what can wait waits, what cannot says so, and the page stays.
await room.setOffline(true);
await tap(1, "Call a judge");
await tap(2, "I sit here");
await tap(3, "Decks checked");
await at(4, async (sheet) => {
  await sheet.locator("summary", { hasText: "Dispute" }).click();
  await sheet.locator("#claim").fill("they say that it was a draw");
  await sheet.locator("button", { hasText: "Open a dispute" }).click();
});
await enter(5, "2-0");
await page.locator('[data-show="playing"]').click();
say("playing", await shown());
await page.locator('[data-show="mine"]').click();
say("mine", await shown());
await page.locator('[data-size="names"]').click();
await page.locator('[data-show=""]').click();
say("all", (await shown()).length);
await page.locator("header a").click();
await page.locator("form[method=get] button").click();
await page.waitForFunction(() => document.querySelector("[data-offline]").textContent.includes("needs Wi-Fi"));
say("offline", await page.locator("[data-offline]").textContent());
say("stays", new URL(page.url()).pathname.endsWith("/floor"));
await shot("floor-taps", page);
await room.setOffline(false);
await until(async () => (await floor()).seats.length && (await floor()).deck_checks.length && (await floor()).calls.length && (await result(5)));
const now = await floor();
say("arrived", [now.calls[0].table, now.seats[0].table, now.deck_checks[0].table, await result(5)]);
await until(async () => (await desk.get(`/tournaments/${id}/disputes`)).disputes.length);
say("disputed", (await desk.get(`/tournaments/${id}/disputes`)).disputes[0].claim);

// What others do is seen at once, and a call says who called.
await page.waitForSelector("[data-call].wants");
const other = await desk.comes("judge", "Hugo");
await other.goto(`${desk.origin}/t/${id}/floor?table=6`);
await other.locator("[data-sheet] button", { hasText: "Call a judge" }).click();
await page.waitForFunction(() => document.querySelectorAll("[data-call].wants").length === 2);
say("calls", [await pill("calls"), await page.locator("[data-call]").last().textContent()].join(" "));
say("marked", await page.locator("[data-table].call").evaluateAll((all) => all.map((one) => one.dataset.table)));
await shot("floor-called", page);
await page.locator("[data-call] button").last().click();
await page.waitForFunction(() => document.querySelectorAll("[data-call].wants").length === 1);
say("taken", (await page.locator("[data-call]").last().textContent()).includes("Olga is on the way"));

// A slip of the finger is undone, by the button or by the right score.
const before = Number(await pill("playing"));
await enter(1, "0-2");
await until(async () => (await result(1)) === "0-2");
// Also when something else was tapped and entered since.
const own = page.locator("[data-own]");
await own.locator('button[aria-label="Undo 1 0–2"]').waitFor();
await enter(6, "2-1");
await own.locator('button[aria-label="Undo 6 2–1"]').waitFor();
await at(2, async (sheet) => sheet.locator("[data-close]").click());
say("own", await own.locator("li .t").allTextContents());
await own.locator("summary").click();
await shot("floor-own", page);
await own.locator('button[aria-label="Undo 1 0–2"]').click();
await until(async () => (await result(1)) === null);
say("undone", await result(1));
await own.locator('button[aria-label="Undo 1 0–2"]').waitFor({ state: "detached" });
await enter(1, "0-2");
await until(async () => (await result(1)) === "0-2");
await own.locator('button[aria-label="Undo 1 0–2"]').waitFor();
await enter(1, "2-0");
await page.waitForSelector("[data-differ] li");
say("two taps", await page.locator("[data-differ] li").textContent());
await shot("floor-two-taps", page);
await page.locator("[data-differ] button", { hasText: "Undo 0–2, record 2–0" }).click();
await until(async () => (await result(1)) === "2-0");
await page.waitForFunction(() => document.querySelector("[data-differ]").hidden);
say("the right one", await result(1));
say("fewer play", before - Number(await pill("playing")));
await at(2, async (sheet) => say("sides", await sheet.locator(".pad .col").allTextContents()));
await shot("floor-sides", page);

// A dispute at a table without a result is ruled from its file.
const head = await desk.comes("head-judge", "Ines", { viewport: { width: 390, height: 844 } });
await head.goto(`${desk.origin}/t/${id}/disputes/1`);
await head.check("[name=upheld][value=true]");
await head.fill("#score", "1-2");
await head.fill("#why", "both slips say so");
await Promise.all([head.waitForNavigation(), head.locator("form.ruling button").click()]);
say("ruled", [await result(4), await head.locator(".band.ok").textContent()].join(" "));
await shot("dispute-ruled", head);

// A double tap on a table opens it, and records nothing: its second tap falls on what has come under the finger.
const cell = page.locator('[data-table="3"]');
await cell.scrollIntoViewIfNeeded();
await cell.evaluate(async (table) => {
  const { x, y, width, height } = table.getBoundingClientRect();
  const tap = () => document.elementFromPoint(x + width / 2, y + height / 2).click();
  tap();
  await new Promise((resume) => setTimeout(resume, 150));
  tap();
  // On a larger phone it falls on another key.
  document.querySelector("[data-sheet] [data-score='2-0']").click();
});
await page.waitForTimeout(600);
const sheet = page.locator("[data-sheet]:not([hidden])");
say("double tap", { open: await sheet.locator("[data-number]").textContent(), entered: await result(3), waiting: await page.locator("[data-table].waits").count() });
await sheet.locator("[data-score='2-0']").click();
await until(async () => (await result(3)) === "2-0");
say("half a second later", await result(3));

// A new round is one button away.
await desk.enterAll(id, 1);
await desk.post(`/tournaments/${id}/orders`, { order: "pair" });
await desk.seen(id, "publish");
await page.waitForSelector("[data-fresh]:not([hidden])");
say("fresh", await page.locator("[data-fresh] a").textContent());
await page.locator("[data-fresh] a").click();
await page.waitForSelector('[data-hall][data-round="2"]');
say("of round 1", { marked: await page.locator("[data-table].call").count(), listed: await page.locator("[data-call]").first().textContent() });
await shot("floor-round-2", page);
say("broken", desk.broken.filter((line) => !/status of (4\d\d)|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(line)));
await desk.browser.close();
