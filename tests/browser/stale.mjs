// Reports wait on phones without a network while the round is taken back, paired anew with somebody more and published:
// none is recorded of another match, and why stays on the phone, also when the round comes out once more, until
// its player reports again. Prints one line of JSON for each thing that was seen.

import { begin, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const { browser, origin, post, get, seen, broken } = desk;
const id = await desk.opened("Friday", ["Ann", "Bo", "Cid", "Dee"].map((name) => ({ name })), { phases: ["swiss:3"] });
const { links } = await post(`/tournaments/${id}/player-links`, {});
const pathOf = new Map(links.map((one) => [one.player, one.path]));
await seen(id, "publish");
const tables = async () => (await get(`/tournaments/${id}/rounds/1`)).tables;
const [one, two] = (await tables())[0].players.map((player) => player.number);

async function phone(player, locale) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale });
  const page = await context.newPage();
  watch(page, broken);
  await page.goto(origin + pathOf.get(player));
  await Promise.all([page.waitForNavigation(), page.click("main form button")]);
  await page.waitForSelector("[data-live].on");
  return page;
}
const ann = await phone(one, "en-US");
const bo = await phone(two, "de-DE");
const claims = async () => (await get(`/tournaments/${id}/log?after=0`)).log.filter((line) => line.sentence.includes("claimed")).length;
const unsent = (page) => page.textContent("[data-unsent]");
const refused = (page, words) => page.waitForFunction((words) => document.querySelector("[data-unsent]:not([hidden])")?.textContent.includes(words), words);

// One line says how many wait, in words that fit any number.
for (const [page, slip] of [[ann, "2-0"], [bo, "0-2"]]) {
  await page.context().setOffline(true);
  await page.click(`button[value="${slip}"]`);
  await page.waitForSelector("[data-unsent]:not([hidden])");
}
await ann.waitForTimeout(500); // A second tap at once hits nothing.
await ann.locator("summary", { hasText: "Drop" }).click();
await ann.waitForTimeout(500);
await ann.locator("button", { hasText: "I wish to drop" }).click();
await refused(ann, "not sent yet: 2");
await refused(bo, "noch nicht gesendet: 1");
say("waits", true);
await seen(id, "undo");
await seen(id, "undo");
await post(`/tournaments/${id}/orders`, { order: "enroll", people: [{ name: "Eva" }, { name: "Fay" }] });
await post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");
for (const page of [ann, bo]) await page.context().setOffline(false);
await refused(ann, "was not recorded");
await refused(bo, "wurde nicht aufgenommen");
say("refused", [await unsent(ann), await unsent(bo)]);
say("claims", [await claims(), (await tables()).filter((table) => table.result).length]);
if (shots) await ann.screenshot({ path: `${shots}/player-elsewhere.png` });

// The same round is taken back and comes out again: nothing of it is over.
await seen(id, "undo");
await ann.waitForFunction(() => !document.querySelector(".tbl"));
await seen(id, "publish");
await ann.waitForSelector(".tbl");
say("published again", [(await unsent(ann)).includes("was not recorded"), (await unsent(bo)).includes("wurde nicht aufgenommen")]);
await ann.reload();
await ann.waitForSelector("[data-live].on");
say("opened again", (await unsent(ann)).includes("was not recorded"));

// Reported again, it is of the match that they play, and what was refused is no question any more.
await ann.click('button[value="2-1"]');
await ann.waitForFunction(() => document.querySelector("[data-unsent]").hidden && document.querySelector(".seat")?.textContent.includes("You reported"));
say("reported again", await claims());
say("broken", broken.filter((line) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|409/.test(line)));
await browser.close();
