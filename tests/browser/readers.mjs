// What everybody reads, in each language: every page in light, dark and forced colors without a finding,
// nothing wider than a phone or a window at 200 percent, no word of another language, and one voice that
// speaks once a round. Prints one line of JSON for each thing that was seen.

import { axe, begin } from "./kit.mjs";
import { readFileSync } from "node:fs";

const [program, ownerLink, shots] = process.argv.slice(2);
const source = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const findings = [];

const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximiliane von Hohenlohe-Waldenburg", "Björn Åkesson", "Priya Raman", "Léa Dubois", "Diego Núñez", "Zoë Berg", "Jan Kowalski", "Hugo Martín", "Ruth Lindqvist", "Femi Adebayo"];
const staff = await begin(program, ownerLink);
const { browser, origin, post, seen, enterAll } = staff;
const id = await staff.opened("Kranich", NAMES.map((name) => ({ name })));
const pair = () => post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");
await enterAll(id, 1);
for (const round of [2, 3, 4, 5]) {
  await pair();
  await seen(id, "publish");
  await enterAll(id, round);
}
await seen(id, "cut");
await pair();
await seen(id, "publish");
await enterAll(id, 6, 2);

const PATHS = ["/", ...["round", "round/1", "standings", "standings?through=2", "standings/1", "standings/3?against=%231", "bracket", "rules"].map((path) => `/t/${id}/${path}`)];
// Words that would betray a page which is said to be German, and the other way round.
const ALIEN = {
  de: /\b(the|of|round|after|player|players|table|tables|bye|won|lost|equal|decides|published|results?|seed|winner|against|rules|standings|pairings|bracket|event)\b/i,
  en: /\b(der|die|das|und|Runde|nach|Spielende|Tisch|Freilos|gewonnen|entscheidet|Ergebnisse?|Tabelle|Paarungen)\b/i,
};

for (const language of ["de", "en"]) {
  const context = await browser.newContext({ locale: language === "de" ? "de-AT" : "en-GB", viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.on("console", (line) => { if (line.type() === "error") findings.push(`${page.url()}: ${line.text()}`); });
  for (const path of PATHS) {
    const about = (what) => findings.push(`${language} ${path}: ${what}`);
    const answer = await page.goto(origin + path);
    if (answer.status() !== 200) { about(String(answer.status())); continue; }
    const own = await page.evaluate(() => {
      // What a ruleset calls its measures stands as it is, and so does its text.
      const without = "[lang]:not(html), code, pre, .digits, thead .num, .by, h2, .why th[scope=row], .parts, .band.ok, .sr";
      const copy = document.body.cloneNode(true);
      for (const node of copy.querySelectorAll(without)) node.remove();
      return { lang: document.documentElement.lang, text: copy.innerText ?? copy.textContent };
    });
    if (own.lang !== language) about(`says that it is in ${own.lang}`);
    const alien = own.text.match(ALIEN[language]);
    if (alien) about(`speaks of ${JSON.stringify(own.text.slice(Math.max(0, alien.index - 30), alien.index + 40))}`);
    for (const scheme of [{ colorScheme: "light", forcedColors: "none" }, { colorScheme: "dark", forcedColors: "none" }, { forcedColors: "active" }]) {
      await page.emulateMedia({ ...scheme, reducedMotion: "reduce" });
      for (const finding of await axe(context, page, source)) about(`${JSON.stringify(scheme)} ${finding}`);
    }
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
    if (shots && language === "de") await page.screenshot({ path: `${shots}/${path.replaceAll(/[/?=#%]/g, "-")}.png`, fullPage: true });
    // A phone, and a window of 1,280 at 200 percent.
    for (const width of [390, 640]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      if (wide > width) about(`is ${wide} wide in a window of ${width}`);
      if (width > 390) continue;
      const small = await page.evaluate(() => [...document.querySelectorAll(".tabs a, .languages a, main tbody th a, main button, main select, main input:not([type=hidden])")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => `${one.tagName} ${one.textContent.slice(0, 20)} ${one.getBoundingClientRect().height}`));
      if (small.length) about(`targets are small: ${small.slice(0, 3)}`);
      if (shots && language === "de") await page.screenshot({ path: `${shots}/${path.replaceAll(/[/?=#%]/g, "-")}-390.png` });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  // The other language is a link away, on the same page, and stays where links lead on.
  const other = language === "de" ? "en" : "de";
  await page.goto(`${origin}/t/${id}/standings?through=2`);
  await page.click(`.languages a[lang=${other}]`);
  const at = new URL(page.url());
  if (at.searchParams.get("through") !== "2" || at.searchParams.get("lang") !== other) findings.push(`the other language shows ${at}`);
  await page.click("main tbody th a");
  await page.waitForLoadState("load");
  if (await page.evaluate(() => document.documentElement.lang) !== other) findings.push(`the language is lost on the way to ${page.url()}`);
  say(`${language} kept`, new URL(page.url()).pathname);
  await context.close();
}

// One voice, once a round: no result is spoken.
const context = await browser.newContext({ locale: "de-DE" });
const page = await context.newPage();
await page.goto(`${origin}/t/${id}/standings`);
await page.waitForSelector("[data-live].on");
const regions = await page.locator("[aria-live], [role=status], [role=alert], [role=log]").count();
say("live regions", regions);
await enterAll(id, 6);
await page.waitForFunction(() => document.querySelector("[data-live] a"));
say("after results", await page.textContent("[data-spoken]"));
await pair();
await seen(id, "publish");
await page.waitForFunction(() => document.querySelector("[data-spoken]").textContent !== "");
say("after the round", await page.textContent("[data-spoken]"));
// Staff reads English, whatever their browser likes.
await staff.page.goto(`${origin}/t/${id}/standings`);
say("staff", await staff.page.evaluate(() => document.documentElement.lang));
say("findings", [...new Set(findings)]);
await browser.close();
