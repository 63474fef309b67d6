// A room is run in a browser: a tournament of 23 from sign-up to the final by keyboard, with what goes
// wrong on the way, then every page looked over by axe in light, dark and forced colors. Prints one
// line of JSON for each thing that was seen, which the test compares with what is true in the field.

import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [program, ownerLink, shots] = process.argv.slice(2);
const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
const axeSource = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
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
await tabTo("#people");
for (const [at, name] of NAMES.slice(0, 22).entries()) {
  if (at > 0) await press("Enter");
  await type(name);
}
await activate("form:has(#people) button");
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
async function pairAndPublish() {
  await go("desk");
  await activate(".next button");
  await go("round");
  const drafts = await page.locator(".tag.draft").count();
  if (drafts) {
    await shot("draft");
    await activate("form:has(input[value=publish]) button");
  }
}

await pairAndPublish();
// One slip with the digits of the pad, the rest as whole lines.
await go("entry");
await shot("entry");
await type("1");
await press("Enter");
await type("1");
await page.waitForFunction(() => document.querySelector('[data-table="1"]')?.hidden);
say("round 1", 1 + await enterAll((table) => (table % 3 === 0 ? "1-2" : "2-1")));
await go("desk");
await shot("desk");
say("round 1 is in", await text(".phases .now"));

// Somebody comes late, somebody is dropped who was not meant, and comes back by one visible undo.
await go("players");
await tabTo("#late-name");
await type(NAMES[22]);
await activate("form:has(#late-name) button");
say("late", (await page.locator("tbody").allTextContents()).join(" ").includes(NAMES[22]));
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
say("corrected", { from: backwards, shown: (await text("tbody tr:nth-child(2)")).includes("corrected") });

await pairAndPublish();
await enterAll((table) => (table % 2 === 0 ? "2-0" : "2-1"));
await pairAndPublish();
await enterAll(() => "2-1");
await go("desk");
await activate(".next button");
await go("desk");
say("cut", (await text(".phases")).replace(/\s+/g, " "));

// Three rounds of the bracket; somebody is disqualified in the top 8.
await pairAndPublish();
await enterAll(() => "2-0");
await pairAndPublish();
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
const first = await page.locator("tbody tr:first-child a").first().getAttribute("href");
await page.goto(`${origin}${first}`);
await shot("why");
say("why", (await text("main h1")) ?? "");

// Every page: no finding of axe, nothing that the content security policy refused.
const pages = ["desk", "entry", "missing", "round/1", "players", "standings", "standings/1", "compare", "replay", "bracket", "log", "disputes", "what-if", "rules", "screen", "print/slips", "print/pairings-by-name", "print/standings"];
// What is worth a picture only once everything was played.
const LATE = ["compare", "replay", "log", "screen", "print/slips", "print/pairings-by-name"];
const findings = [];
for (const scheme of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }]) {
  await page.emulateMedia(scheme);
  for (const path of pages) {
    const answer = await go(path);
    if (answer.status() !== 200) { findings.push(`${path}: ${answer.status()}`); continue; }
    if (scheme.colorScheme === "light" && LATE.includes(path)) await shot(path.replaceAll("/", "-"));
    // The policy of the page holds for scripts of the page; axe is asked for from outside of it.
    const frame = await context.newCDPSession(page);
    await frame.send("Runtime.evaluate", { expression: axeSource });
    const { result } = await frame.send("Runtime.evaluate", {
      expression: `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] })
        .then((found) => JSON.stringify(found.violations.map((one) =>
          [one.id, one.nodes[0].target, one.nodes[0].any[0]?.message ?? ""].join(" "))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    for (const finding of JSON.parse(result.value ?? "[]")) findings.push(`${path} (${JSON.stringify(scheme)}): ${finding}`);
    await frame.detach();
  }
}
say("findings", [...new Set(findings)]);
say("broken", broken);
await browser.close();
