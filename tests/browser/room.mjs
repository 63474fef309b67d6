// A room is run in a browser: a tournament of 23 from sign-up to the final by keyboard, with what goes
// wrong on the way, then every page looked over by axe in light, dark and forced colors. Prints one
// line of JSON for each thing that was seen, which the test compares with what is true in the field.

import { chromium } from "playwright-core";
import { axeInAllColors } from "./kit.mjs";
import { execFileSync } from "node:child_process";

const [program, ownerLink, shots] = process.argv.slice(2);
const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const NAMES = [
  "Ewa Wójcik", "Kenji Itō", "John Miller", "John Parker", "Søren Bækgaard", "Olga Šimková", "Hugo Martín",
  "Zoë van der Berg", "Chloé Lefèvre", "مريم حداد", "Rita O’Connor", "Noah Fischer", "Greta Lindqvist",
  "Maximiliane von Hohenlohe-Waldenburg", "Femi Adebayo", "Björn Åkesson", "Priya Raman", "Léa Dubois",
  "Diego Núñez", "İpek Yılmaz", "Tomás Ribeiro", "Jan Kowalski", "Quentin Moreau",
];

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: false });
const page = await context.newPage();
const broken = [];
page.on("console", (line) => { if (line.type() === "error") broken.push(line.text()); });
page.on("response", (answer) => { if (answer.status() >= 400) broken.push(`${answer.status()} ${answer.url()}`); });
page.on("pageerror", (error) => broken.push(String(error)));

const origin = new URL(ownerLink).origin;
const type = (text) => page.keyboard.type(text);
const press = (key) => page.keyboard.press(key);
/// Walks with Tab to what has this name, as somebody without a mouse does.
async function tabTo(selector) {
  for (let steps = 0; steps < 300; steps += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await press("Tab");
  }
  throw new Error(`no Tab leads to ${selector} on ${page.url()}`);
}
async function activate(selector) {
  await tabTo(selector);
  await Promise.all([page.waitForLoadState("load"), page.waitForNavigation(), press("Enter")]);
}
const text = async (selector) => (await page.locator(selector).first().textContent())?.trim();
const shot = async (name) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };

// The owner's link is good once.
await page.goto(ownerLink);
await tabTo("input[name=name]");
await type("Ann Lindberg");
await activate("form button");
say("owner", new URL(page.url()).pathname);

await page.goto(`${origin}/new`);
await tabTo("#title");
await press("Control+A");
await type("Friday at the Anchor");
await tabTo("#rules");
await press("Control+A");
await type("mtr");
await press("Escape");
await tabTo("#phase1");
await press("Control+A");
await type("swiss:5");
await tabTo("#phase2");
await press("Control+A");
await type("single-elimination:8");
await activate("form button");
const base = new URL(page.url()).pathname.replace(/\/[^/]*$/, "");
const go = (path) => page.goto(`${origin}${base}/${path}`);
say("opened", await text("main"));

await go("players");
await tabTo("details:has(#people) summary");
await press("Enter");
await tabTo("#people");
for (const [at, name] of NAMES.slice(0, 22).entries()) {
  if (at > 0) await press("Enter");
  await type(name);
}
await activate("form:has(#people) button.list");
say("said", await text("[data-said]"));
say("enrolled", await page.locator("tbody tr:not(.group)").count());
await shot("players");

/// Enters every missing result of the round by keyboard, the lower table first.
async function enterAll(score) {
  // One letter leads from page to page, as long as nobody types.
  await go("desk");
  await press("e");
  await page.waitForURL("**/entry");
  await page.waitForLoadState("load");
  const tables = await page.locator("[data-table]:not([hidden])").evaluateAll((all) => all.map((one) => one.dataset.table));
  for (const table of tables) {
    await type(`${table} ${score(Number(table))}`);
    await press("Enter");
  }
  await page.waitForFunction(() => document.querySelector("[data-queue]")?.textContent.includes("Everything is sent"));
  return tables.length;
}
let at = 0;
async function pairAndPublish() {
  at += 1;
  await go("desk");
  await activate(".next button");
  await go("round");
  const drafts = await page.locator(".tag.draft").count();
  if (drafts) {
    if (at === 3) await shot("draft");
    await activate("form:has(input[value=publish]) button");
  }
  // Paper is worth a picture while there are tables.
  if (at === 3) {
    for (const what of ["slips", "pairings-by-name"]) {
      await go(`print/${what}`);
      await shot(`print-${what}`);
    }
  }
}

await pairAndPublish();
// One slip with the digits of the pad, the rest as whole lines.
await go("entry");
await type("1");
await press("Enter");
await page.waitForFunction(() => !document.querySelector("[data-pad]").classList.contains("wait"));
await shot("entry");
await type("1");
await page.waitForFunction(() => document.querySelector('[data-table="1"]')?.hidden);
const sent = () => page.waitForFunction(() => document.querySelector("[data-queue]")?.textContent.startsWith("Everything is sent"));
const own = (column) => page.locator(`[data-own] tr:first-child > :nth-child(${column})`).textContent();
const said = (words) => page.waitForFunction((wanted) => document.querySelector("[data-say]").textContent.includes(wanted), words);
// Backspace opens the last entry; a digit corrects it, and the old score stays beside it.
await sent();
await go("missing");
await shot("missing");
await go("entry");
await press("Backspace");
await type("3");
await page.waitForSelector("[data-own] .tag.fixed");
say("last entry corrected", await own(2));
await shot("entry-correct");
// The correction is undone where it was made.
await tabTo("[data-own] tr:first-child button");
await press("Enter");
await said("old result again");
say("focus after undo", await page.evaluate(() => document.activeElement.id));
// A player who drops with the slip is said by name, and undone in the same place.
await type("2");
await press("Enter");
await type("d1");
await said("drops");
await type("4");
await page.waitForSelector('[data-own] tr:first-child:not(.own-waits)');
await page.waitForFunction(() => document.querySelector("[data-own] tr:first-child td").textContent === "drops");
await sent();
// Also once the page was loaded again.
await go("entry");
await page.waitForSelector('[data-own] tr:first-child[data-act="undo"]');
await tabTo("[data-own] tr:first-child button");
await press("Enter");
await said("Undone");
// What is refused stays, with its reason; typed again it is mended.
await type("3 3-0");
await press("Enter");
await page.waitForSelector("[data-errors] li");
say("refused", await text("[data-errors] li"));
await tabTo("[data-errors] button");
await press("Enter");
await press("Control+A");
await type("3 2-0");
await press("Enter");
// A whole line with a name, and a score that holds for a row of tables.
const fourth = await page.locator('[data-table="4"] [data-seat]').nth(1).textContent();
await type(`4 ${fourth} 2-0`);
await press("Enter");
await sent();
say("by name", await own(2));
await type("=2-1");
await press("Enter");
for (const table of ["5", "6"]) { await type(table); await press("Enter"); }
await type("=");
await press("Enter");
await sent();
// The desk is away for a moment: what is typed waits, also over a reload, and is sent once.
await context.setOffline(true);
await type("7 0-2");
await press("Enter");
await page.waitForFunction(() => document.querySelector("[data-queue]").textContent.includes("has not answered"));
await context.setOffline(false);
page.once("dialog", (dialog) => dialog.accept());
await page.reload();
await sent();
// One's own pile is walked with +; anything else opens the correction.
await tabTo("[data-check]");
await press("Enter");
await said("Slip 1 of");
await type("+");
await said("Slip 2 of");
await type("x");
await page.waitForFunction(() => document.querySelector("[data-label]").textContent.startsWith("Correct"));
say("focus in the pile", await page.evaluate(() => document.activeElement.id));
await press("Escape");
await press("Escape");
broken.length = 0; // what was refused and could not be sent was meant
// Answers come in any order; nothing is lost and nothing is entered twice.
await page.route("**/orders", async (route) => {
  await new Promise((resume) => setTimeout(resume, Math.random() * 300));
  await route.continue();
});
say("round 1", 7 + await enterAll((table) => (table % 3 === 0 ? "1-2" : "2-1")));
await page.unroute("**/orders");
await go("desk");
await shot("desk");
say("round 1 is in", await text(".phases .now"));

// Somebody comes late, somebody is dropped who was not meant, and comes back by one visible undo.
await go("players");
await tabTo("#late-name");
await type(NAMES[22]);
await press("Enter");
await page.locator("tbody tr", { hasText: NAMES[22] }).waitFor();
say("late", true);
await go("players?player=3");
await tabTo("details.act summary");
await press("Enter");
await activate("details[open] form button");
say("dropped", (await text("[data-said]")).includes("Recorded"));
await activate("[data-said] form button");
await go("players?player=3");
say("undone", await page.locator("form:has(input[value=reinstate])").count());

await pairAndPublish();
await enterAll((table) => (table % 4 === 0 ? "0-2" : "2-0"));
await pairAndPublish();
await enterAll((table) => (table % 5 === 0 ? "1-2" : "2-1"));

// A slip of round 1 was entered backwards: it is noticed two rounds later.
await go("round/1");
const backwards = await text("tbody tr:nth-child(2) b");
await tabTo("details:has(#fix-slip) summary");
await press("Enter");
await tabTo("#fix-slip");
await type("2 1-2");
await activate("details:has(#fix-slip) button");
say("who moves", await page.locator(".chart.moves .up, .chart.moves .down").count());
await shot("moved");
await go("round/1");
say("corrected", { from: backwards, shown: (await text("tbody tr:nth-child(2)")).includes("corrected") });

await pairAndPublish();
await enterAll((table) => (table % 2 === 0 ? "2-0" : "2-1"));
await pairAndPublish();
await enterAll(() => "2-1");
await go("desk");
await activate(".next button");
await go("desk");
say("cut", (await text(".phases")).replace(/\s+/g, " "));

// Three rounds of the bracket; in the middle of the quarter-finals somebody is disqualified, before their
// match is over. The page of a player is reached by their name.
await pairAndPublish();
await go("round");
const seats = () => page.locator(".pairs tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("bdi")].map((one) => one.textContent)));
const [out, goesOn] = (await seats())[1];
await go("players");
const named = page.locator("tbody th a").filter({ has: page.getByText(out, { exact: true }) });
await activate(`tbody th a[href="${await named.getAttribute("href")}"]`);
await tabTo("details.act:has(#dq-why) summary");
await press("Enter");
await tabTo("#dq-why");
await type("a marked deck, seen by two judges");
const asked = (await text("details:has(#dq-why) form p")).replace(/\s+/g, " ");
await activate("details:has(#dq-why) form button");
say("disqualified", { name: out, asked, said: (await text("[data-said]")).replace(/\s+/g, " ") });
say("tables left", await enterAll(() => "2-0"));
await pairAndPublish();
await go("round");
say("semi-finals", { players: (await seats()).flat(), wants: goesOn });
await enterAll(() => "2-1");
await pairAndPublish();
await enterAll(() => "2-1");
await go("bracket");
await shot("bracket");
say("matches of the bracket", await page.locator("main table").count());
await go("desk");
await activate(".next button");
await go("standings");
await shot("standings");
say("first", await text("tbody tr:first-child a"));
const entries = [];
for (let after = 0; ;) {
  const answer = await context.request.get(`${origin}/api/v1/tournaments/${base.split("/").pop()}/log?after=${after}`);
  const { log } = await answer.json();
  if (!log.length) break;
  entries.push(...log);
  after = log.at(-1).seq;
}
say("in the log", entries.filter((line) => line.kind === "player dropped" && line.sentence.includes("disqualified")).map(({ by, sentence }) => ({ by, sentence })));
say("without a place", await page.locator("main tbody tr:not([data-place])").allTextContents().then((rows) => rows.map((row) => row.replace(/\s+/g, " ").trim())));
const first = await page.locator("tbody tr:nth-child(12) a").first().getAttribute("href");
await page.goto(`${origin}${first}`);
await shot("why");
say("why", (await text("main h1")) ?? "");

// The next tournament is like this one: who was here is known after three letters, or ticked off.
await page.goto(`${origin}/new`);
await shot("new");
await tabTo("#title");
await press("Control+A");
await type("Friday after");
await activate("form[method=post] button");
await page.waitForSelector("input[name=tick]");
await tabTo("input[name=tick]");
await press("Space");
await activate("form:has(input[name=tick]) button");
const next = new URL(page.url()).pathname.replace(/\/[^/]*$/, "");
await page.goto(`${origin}${next}/players`);
await tabTo("#name");
await type("kow");
await page.waitForSelector("[role=option]");
await shot("sign-up");
await press("ArrowDown");
await press("Enter");
await page.locator("main table th[scope=row]", { hasText: "Kowalski" }).waitFor();
say("like last week", (await page.locator("main table th[scope=row]").allTextContents()).map((name) => name.trim()).sort());

// Every page: no finding of axe, nothing that the content security policy refused.
const pages = ["desk", "entry", "entry?check=1", "missing", "cross", "places", "places/1", "moved", "replay?event=60", "log?changed=1", "players?player=3", "round/1", "players", "standings", "standings/1", "compare", "compare?rules=carde", "replay", "bracket", "log", "disputes", "what-if", "what-if?slip=1%201-2&round=1", "rules", "policies", "screen", "screen-link", "floor", "export", "print/index", ...["slips", "pairings-by-name", "pairings-by-table", "missing", "standings", "final", "bracket", "seat-all", "roster", "deck-checks", "receipts", "badges", "poster"].map((what) => `print/${what}`)];
// What is worth a picture only once everything was played.
const LATE = ["what-if?slip=1%201-2&round=1", "compare?rules=carde", "replay", "replay?event=60", "log", "log?changed=1", "cross", "places", "places/1", "screen"];
const findings = [];
for (const path of pages) {
  const answer = await go(path);
  if (answer.status() !== 200) { findings.push(`${path}: ${answer.status()}`); continue; }
  const picture = async (scheme) => {
    if (scheme === "light" && LATE.includes(path)) await shot(path.replace(/\?.*/, "").replaceAll("/", "-") + (/event|changed/.exec(path)?.[0].replace(/^/, "-") ?? ""));
  };
  for (const finding of await axeInAllColors(page, picture)) findings.push(`${path}: ${finding}`);
}
say("findings", [...new Set(findings)]);
// On a phone each line of a chart has its name in sight, and all of who moves is.
await page.setViewportSize({ width: 390, height: 844 });
const phone = {};
for (const path of ["places", "replay", "what-if?slip=1%201-2&round=1", "moved"]) {
  await go(path);
  phone[path.replace(/\?.*/, "")] = await page.evaluate(() => {
    const seen = (one) => { const box = one.getBoundingClientRect(); return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1; };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.textContent.trim());
    const named = all(".ends text").filter(seen).length;
    return { lines: document.querySelectorAll(".lines .line").length - named, hidden: all(".moved :is(td, th)").filter((one) => one.checkVisibility() && !seen(one)).length, wide: document.scrollingElement.scrollWidth };
  });
  await shot(`${path.replace(/\?.*/, "")}-390`);
}
say("on a phone", phone);
say("broken", broken);
await browser.close();
