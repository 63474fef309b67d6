// The floor in a browser: a judge with a phone whose Wi-Fi goes for a while, while the wired desk goes on;
// the projector; and axe on both in light, dark and forced colors. Prints one line of JSON for each thing
// that was seen, which the test compares with what is true in the field.

import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { axeInAllColors } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const { key } = JSON.parse(readFileSync(`${process.env.SCRUTINEER_STORE}/server.json`, "utf8"));
const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const wired = new URL(ownerLink).origin;
const api = `${wired}/api/v1`;
// As from any other device in the room, on plain HTTP: browsers trust 127.0.0.1 more than that, and say
// more of what a form comes from.
const origin = wired.replace("127.0.0.1", "scrutineer.local");
let asked = 0;

/// As the wired desk: orders and readings over HTTP with the key of this machine.
async function ask(method, path, body, seen = {}) {
  asked += 1;
  const headers = { Authorization: `Bearer ${key}`, "Idempotency-Key": `wired ${asked}`, ...seen };
  const answer = await fetch(`${api}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  return json;
}
const order = (body, seen) => ask("POST", "/tournaments/Friday/orders", body, seen);
/// Publishing is decided on what stands.
async function publish() {
  const stands = await fetch(`${api}/tournaments/Friday`, { headers: { Authorization: `Bearer ${key}` } });
  await order({ order: "publish" }, { "If-Match": stands.headers.get("etag") });
}

const NAMES = [
  "Ewa Wójcik", "Kenji Itō", "John Miller", "Søren Bækgaard", "Olga Šimková", "Hugo Martín", "مريم حداد",
  "Rita O’Connor", "Noah Fischer", "Greta Lindqvist", "Maximiliane von Hohenlohe-Waldenburg", "Femi Adebayo",
  "Björn Åkesson", "Priya Raman", "Léa Dubois", "Diego Núñez", "İpek Yılmaz", "Tomás Ribeiro", "Jan Kowalski",
  "Quentin Moreau", "Ann Lee", "Bo Park", "Cid Campeador", "Dee Dee",
];
await ask("POST", "/tournaments", { title: "Friday", rules: "mtr", phases: ["swiss:3"] });
await order({ order: "enroll", people: NAMES.map((name) => ({ name })) });
await order({ order: "pair" });
await publish();
const floor = (body) => ask("PATCH", "/tournaments/Friday/floor", body);
await floor({ do: "start-clock", minutes: 50 });
await floor({ do: "extend", table: 6, minutes: 5 });
await ask("POST", "/tournaments/Friday/floor/calls", { table: 9, what: "Results differ" });
await order({ order: "claim", slip: "#1 2-1" });
await order({ order: "result", slip: "10 2-0" });
const { path } = await ask("POST", "/links", { role: "judge", name: "Olga", tournament: "Friday" });

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--host-resolver-rules=MAP scrutineer.local 127.0.0.1"] });
const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
const page = await phone.newPage();
const broken = [];
page.on("pageerror", (error) => broken.push(String(error)));
page.on("console", (line) => {
  if (line.type() === "error" && !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 409/.test(line.text())) broken.push(line.text());
});
const shot = async (name, of = page) => { if (shots) await of.screenshot({ path: `${shots}/${name}.png` }); };

await page.goto(`${origin}${path}`);
await Promise.all([page.waitForURL("**/t/**"), page.locator("form button").click()]);
const id = page.url().match(/\/t\/([0-9a-f]+)/)[1];
const base = `${origin}/t/${id}`;
const wide = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await wide.addCookies(await phone.cookies());
const desk = await wide.newPage();
await desk.goto(`${base}/missing`);
say("missing", await desk.locator("tbody tr").count());
await shot("missing-clock", desk);
await page.goto(`${base}/floor`);
say("cells", await page.locator("[data-table]").count());
say("wide", await page.evaluate(() => document.documentElement.scrollWidth));
say("clock", /^(49|50):/.test(await page.locator("[data-clock]").textContent()));
await shot("floor");

/// Opens a table and does what is to be done there.
async function at(table, act) {
  await page.locator(`[data-table="${table}"]`).click();
  await page.waitForTimeout(500); // A second tap at once does nothing.
  await act(page.locator("[data-sheet]"));
}
const summary = (sheet, name) => sheet.locator("summary", { hasText: name });
async function result(table, score) {
  await at(table, async (sheet) => {
    if (!(await sheet.locator("[data-score='2-1']").isVisible())) await summary(sheet, "Result").click();
    await sheet.locator(`[data-score="${score}"]`).click();
  });
}
await at(1, async (sheet) => {
  say("opened", await sheet.locator("[data-name]").allTextContents());
  const small = await sheet.locator("button:visible, summary:visible, .btn:visible").evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent.trim()));
  say("small targets", small);
});
await shot("floor-table");
await page.locator("[data-close]").click();

// A table that is online is entered at once.
await result(1, "2-1");
await page.waitForFunction(() => document.querySelector('[data-table="1"]').dataset.result === "2–1");

// The Wi-Fi goes. The judge goes on; the wired desk too.
await phone.setOffline(true);
await result(2, "2-0");
await result(3, "2-1");
await result(4, "1-2");
await at(5, async (sheet) => sheet.locator("button[name=minutes][value='3']").click());
await at(5, async (sheet) => {
  await summary(sheet, "Penalty").click();
  await sheet.locator("[data-player]").first().check();
  await sheet.locator("#why").fill("slow play");
  await sheet.locator("button", { hasText: "Penalize" }).click();
});
await page.waitForSelector("[data-offline]:not([hidden])");
say("waiting", await page.locator("[data-offline]").textContent());
await shot("floor-offline");
for (const slip of ["3 2-1", "4 2-1", "7 2-0", "8 0-2", "9 2-1", "11 2-0", "12 1-2"]) await order({ order: "result", slip });

// Back for a moment in which nothing gets through, and the page is loaded anew: the queue is kept.
await page.route("**/orders", (route) => route.abort());
await page.route("**/floor", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
await phone.setOffline(false);
await page.reload();
await page.waitForSelector("[data-offline]:not([hidden])");
say("kept", await page.locator("[data-table].waits").evaluateAll((all) => all.map((one) => one.dataset.table)));
await page.unroute("**/orders");
await page.unroute("**/floor");
await page.waitForFunction(() => !document.querySelector("[data-table].waits"), null, { timeout: 15000 });
say("differ", await page.locator("[data-differ] li").allTextContents());
await shot("floor-differ");
const results = async () => (await ask("GET", "/tournaments/Friday/rounds/1")).tables.map((one) => `${one.table} ${one.result}`);
say("results", await results());
const log = (await ask("GET", "/tournaments/Friday/log")).log;
say("entered by the judge", log.filter((one) => one.kind === "result" && one.by === "Olga").length);
say("penalties", log.filter((one) => one.kind === "penalty").length);
say("extensions", (await ask("GET", "/tournaments/Friday/floor")).extensions);
await page.locator("[data-differ] button", { hasText: "Open a dispute" }).click();
await page.waitForFunction(() => document.querySelector("[data-differ]").hidden);
say("disputes", (await ask("GET", "/tournaments/Friday/disputes")).disputes.map((one) => one.claim));

// Once more without a network, and the round is over before it is back: nothing of it lands in the next.
await phone.setOffline(true);
await result(5, "2-0");
for (const slip of ["5 0-2", "6 2-0"]) await order({ order: "result", slip });
await order({ order: "pair" });
await publish();
await phone.setOffline(false);
await page.waitForSelector("[data-differ] li", { timeout: 15000 });
say("round over", await page.locator("[data-differ] li").first().textContent());
say("next round", (await ask("GET", "/tournaments/Friday/rounds/2")).tables.filter((one) => one.result).length);
await page.locator("[data-differ] button", { hasText: "is right" }).first().click();

// Without scripts a table opens by its address and is entered by its buttons.
const plain = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
await plain.addCookies(await phone.cookies());
const bare = await plain.newPage();
await bare.goto(`${base}/floor`);
await bare.locator('[data-table="2"]').click();
await bare.locator("[data-score='2-1']").click();
await bare.waitForLoadState("load");
say("without scripts", (await bare.locator("[data-said]").textContent()).includes("Recorded"));

// The projector: told from the desk, it changes by itself; no name is cut.
const hall = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
await hall.addCookies(await phone.cookies());
const screen = await hall.newPage();
screen.on("pageerror", (error) => broken.push(String(error)));
await screen.goto(`${base}/screen`);
await floor({ do: "start-clock", minutes: 50 });
await screen.waitForFunction(() => /^(49|50):/.test(document.querySelector("[data-clock]")?.textContent ?? ""));
say("screen", await screen.locator("h1").textContent());
say("cut", await screen.evaluate(() => [...document.querySelectorAll("tbody th bdi, .against bdi")].filter((one) => {
  const cell = one.closest("th, td").getBoundingClientRect();
  const own = one.getBoundingClientRect();
  return own.right > cell.right + 1 || own.bottom > cell.bottom + 2;
}).map((one) => one.textContent)));
await shot("screen-pairings", screen);
// On a screen that is not wide a table of two digits does not reach the next name.
await screen.setViewportSize({ width: 1200, height: 900 });
say("numbers", await screen.evaluate(() => [...document.querySelectorAll("td.num")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getBoundingClientRect().right > one.getBoundingClientRect().right + 0.5;
}).map((one) => one.textContent)));
await screen.setViewportSize({ width: 1920, height: 1080 });
await floor({ do: "announce", text: "Lunch until 14:00, the bar is open" });
await screen.waitForSelector(".announced li");
await floor({ do: "show", what: "missing" });
await screen.waitForSelector("ul.missing");
await shot("screen-missing", screen);
await floor({ do: "show", what: "clock" });
await screen.waitForSelector(".alone b");
await shot("screen-clock", screen);
say("told", await screen.locator(".announced").textContent());

// The overlay of a stream: nobody signs in there, it has no ground, and the desk tells it what to show.
const stream = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
const overlay = await stream.newPage();
overlay.on("pageerror", (error) => broken.push(String(error)));
await overlay.goto(`${base}/overlay`);
await floor({ do: "overlay", what: "clock" });
await overlay.waitForFunction(() => /^(4[89]|50):/.test(document.querySelector("[data-clock]")?.textContent ?? ""));
await floor({ do: "feature", table: 1, on: true });
await floor({ do: "overlay", what: "featured" });
await overlay.waitForSelector(".tables li");
say("ground", await overlay.evaluate(() => [document.documentElement, document.body, document.querySelector("main")].map((one) => getComputedStyle(one).backgroundColor)));
say("featured", await overlay.locator(".tables .who").count());
if (shots) await overlay.screenshot({ path: `${shots}/overlay.png` });
await floor({ do: "overlay", what: "standings" });
await overlay.waitForSelector(".places tbody tr");
say("places", await overlay.locator(".places tbody tr").count());
say("over", await overlay.evaluate(() => document.scrollingElement.scrollHeight - innerHeight));
await floor({ do: "overlay", what: "nothing" });
await overlay.waitForFunction(() => !document.querySelector(".panel"));
await floor({ do: "overlay", what: "auto" });

// Everything here is looked over by axe.
const findings = [];
async function look(name, of, path) {
  await of.goto(`${base}/${path}`);
  for (const one of await axeInAllColors(of)) findings.push(`${name}: ${one}`);
}
await look("floor", page, "floor?table=1");
await look("missing", desk, "missing");
await look("names", page, "floor?size=names&show=playing");
for (const show of ["pairings", "clock", "standings", "missing", "announcements"]) await look(`screen ${show}`, screen, `screen?show=${show}`);
for (const show of ["featured", "standings", "clock"]) await look(`overlay ${show}`, overlay, `overlay?show=${show}`);
await page.emulateMedia({ colorScheme: "dark", forcedColors: "none" });
await page.goto(`${base}/floor`);
await shot("floor-dark");
say("findings", findings);
say("broken", broken);
await browser.close();
