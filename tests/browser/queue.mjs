// What waits in the queues of the floor and of the entry page: refused, behind a network that wants to be
// paid, at a fault of the desk, after a sign-in ended, in two tabs. Prints one line of JSON for each thing
// that was seen.

import { begin, sent, typeLines, watch } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 24 }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const at = (path) => `${desk.origin}/t/${id}/${path}`;
const result = async (table) => (await desk.get(`/tournaments/${id}/rounds/1`)).tables.find((one) => one.table === table).result;
const log = async () => (await desk.get(`/tournaments/${id}/log`)).log;
const until = async (seen) => {
  for (let tries = 0; tries < 200 && !(await seen()); tries += 1) await new Promise((resume) => setTimeout(resume, 100));
};

const page = await desk.comes("judge", "Olga");
const room = page.context();
await page.goto(at("floor"));
const listed = () => page.locator("[data-differ] li").allTextContents();
const told = (words) => page.waitForFunction((wanted) => document.querySelector("[data-differ]").textContent.includes(wanted), words, { timeout: 20_000 });
const offline = (words) => page.waitForFunction((wanted) => document.querySelector("[data-offline]:not([hidden])")?.textContent.includes(wanted), words, { timeout: 20_000 });
async function open(of, table) {
  await of.locator(`[data-table="${table}"]`).click();
  await of.waitForTimeout(500); // A second tap at once does nothing.
  return of.locator("[data-sheet]");
}
async function enter(of, table, score) {
  const sheet = await open(of, table);
  if (!(await sheet.locator("[data-score='2-1']").isVisible())) await sheet.locator("summary", { hasText: "Result" }).click();
  await sheet.locator(`[data-score="${score}"]`).click();
}
async function penalize(of, table, why) {
  const sheet = await open(of, table);
  await sheet.locator("summary", { hasText: "Penalty" }).click();
  await sheet.locator("[data-player]").first().check();
  await sheet.locator("#why").fill(why);
  await sheet.locator("button", { hasText: "Penalize" }).click();
}

// The desk refuses an extension: that is said, and what comes after it is sent, also after a reload.
await page.locator("button[name=minutes]").first().evaluate((button) => { button.value = "9999"; });
const sheet = await open(page, 1);
await sheet.locator("button[name=minutes]").first().click();
await told("Table 1 +9999 minutes was not recorded");
await enter(page, 1, "2-1");
await until(async () => (await result(1)) === "2-1");
say("after a refusal", await result(1));
await page.reload();
await told("Table 1 +9999 minutes was not recorded");
await enter(page, 2, "2-1");
await until(async () => (await result(2)) === "2-1");
say("after a reload", await result(2));
await page.locator("[data-differ] button", { hasText: "Leave it" }).click();

// What a judge may not do is refused for good: it is told without a button that sends it again, and is not kept.
await page.route("**/orders", (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify({ code: "not-allowed", detail: "a judge may not do this" }) }));
await penalize(page, 4, "slow play");
await told("a judge may not do this");
const offered = await page.locator("[data-differ] button", { hasText: "Send again" }).count();
const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("queue")).length);
await until(async () => (await kept()) === 0);
say("refused for good", { again: offered, kept: await kept() });
await page.unroute("**/orders");
await page.locator("[data-differ] button", { hasText: "Leave it" }).click();

// A network that wants to be paid answers everything with its own page: nothing of that is an answer of the desk.
await page.route("**/orders", (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Pay here</h1>" }));
await enter(page, 3, "2-1");
await offline("1 entry waits");
say("paid", await result(3));
await page.unroute("**/orders");
await until(async () => (await result(3)) === "2-1");
say("after it was paid", await result(3));

// A fault at one entry holds up no other for long, and is shown.
let faults = 0;
const fault = { type: "/problems/request-not-done", title: "Internal Server Error", status: 500, kind: "internal", code: "request-not-done", detail: "this request could not be carried out" };
await page.route("**/orders", (route) => {
  if (!route.request().postData().includes("slow+play")) return route.continue();
  faults += 1;
  return route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(fault) });
});
await penalize(page, 4, "slow play");
await enter(page, 4, "1-2");
await told("this request could not be carried out");
await until(async () => (await result(4)) === "1-2");
say("a fault", { tries: faults, behind: await result(4), listed: (await listed()).length });
await page.unroute("**/orders");
await page.locator("[data-differ] button", { hasText: "Send again" }).click();
await until(async () => (await log()).some((line) => line.kind === "penalty"));
say("a fault, sent again", (await log()).filter((line) => line.kind === "penalty").length);

// Two tabs without a network, each with an entry, and both are closed.
const second = await room.newPage();
watch(second, desk.broken);
await second.goto(at("floor"));
await room.setOffline(true);
await enter(page, 5, "2-0");
await enter(second, 6, "0-2");
await Promise.all([page, second].map((one) => one.waitForSelector("[data-offline]:not([hidden])")));
await second.close();
await room.setOffline(false);
await page.goto(at("floor"));
await until(async () => (await result(5)) && (await result(6)));
say("two tabs", [await result(5), await result(6)]);

// The session ends while something is entered. Nothing is refused; and when somebody else comes in with this
// phone, nothing is theirs without a word.
await room.clearCookies();
await enter(page, 7, "2-1");
await offline("You are signed out");
say("signed out", { result: await result(7), listed: (await listed()).length });
const { path } = await desk.post("/links", { role: "judge", name: "Hugo" });
const other = await room.newPage();
await other.goto(desk.origin + path);
await Promise.all([other.waitForNavigation(), other.click("form button")]);
await page.evaluate(() => dispatchEvent(new Event("focus")));
await offline("You are signed out");
say("with somebody else", await result(7));
await page.reload();
await told("entered it under an earlier sign-in");
say("held", (await listed())[0]);
await page.locator("[data-differ] button", { hasText: "Send it" }).click();
await until(async () => (await result(7)) === "2-1");
say("sent by", (await log()).filter((line) => line.kind === "result").at(-1).by);

// With an account: the answer to a penalty is lost, the session ends, and who signs in again is the same.
await desk.context.request.put(`${desk.origin}/api/v1/staff/Eva`, { data: { role: "judge", password: "the hall closes at six" }, headers: { Origin: desk.origin } });
const phone = await desk.browser.newContext({ viewport: { width: 390, height: 844 } });
async function signedIn() {
  const theirs = await phone.newPage();
  watch(theirs, desk.broken);
  await theirs.goto(`${desk.origin}/sign-in?back=${encodeURIComponent(`/t/${id}/floor`)}`);
  await theirs.fill("input[name=name]", "Eva");
  await theirs.fill("input[name=password]", "the hall closes at six");
  await Promise.all([theirs.waitForNavigation(), theirs.locator("form[method=post][action='/sign-in'] button").click()]);
  return theirs;
}
const eva = await signedIn();
let lost = 0;
await eva.route("**/orders", async (route) => {
  await route.fetch();
  lost += 1;
  await route.abort();
});
await penalize(eva, 8, "late to the table");
await until(() => lost > 0);
await eva.close();
await phone.clearCookies();
const again = await signedIn();
await again.waitForFunction(() => !Object.keys(localStorage).some((key) => key.includes("queue")), null, { timeout: 20_000 });
say("by Eva", (await log()).filter((line) => line.kind === "penalty" && line.by === "Eva").length);

// A result that somebody else takes back is missing again on every page, without a reload.
const keeper = await desk.comes("scorekeeper", "Rita");
await keeper.goto(at("entry"));
await page.goto(at("floor"));
await typeLines(keeper, ["9 2-1"]);
await sent(keeper);
await page.waitForSelector('[data-table="9"].in');
const one = (await log()).find((line) => line.kind === "result" && line.sentence.includes("T9 "));
await desk.post(`/tournaments/${id}/orders`, { order: "undo", seq: one.seq });
await keeper.waitForSelector('[data-table="9"]:not([hidden])');
await page.waitForSelector('[data-table="9"]:not(.in)');
say("taken back", await keeper.locator("[data-own] tr.undone").count());
await typeLines(keeper, ["9 0-2"]);
await sent(keeper);
await keeper.locator("[data-own] button", { hasText: "Undo" }).first().click();
await sent(keeper);
await until(async () => (await result(9)) === null);
say("undone by a scorekeeper", { result: await result(9), refused: await keeper.locator("[data-errors] li").count() });
say("broken", desk.broken.filter((line) => !/status of (4\d\d|500)|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(line)));
await desk.browser.close();
