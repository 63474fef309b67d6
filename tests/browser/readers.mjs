// What everybody reads, in each language: every page in light, dark and forced colors without a finding,
// nothing wider than a phone or a window at 200 percent, no word of another language, and one voice that
// speaks once a round. Prints one line of JSON for each thing that was seen.

import { axe, axeInAllColors, begin } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const findings = [];

const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximilian-Alexander Freiherr von Hohenlohe", "Björn Åkesson", "Priya Raman", "Léa Dubois", "Diego Núñez", "Zoë Berg", "Jan Kowalski", "Hugo Martín", "Ruth Lindqvist", "Femi Adebayo"];
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

const PATHS = ["/", ...["round", "round/1", "standings", "standings?through=2", "standings/1", "standings/3?against=%231", "bracket", "rules", "log", "audit"].map((path) => `/t/${id}/${path}`)];
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
    for (const finding of await axeInAllColors(page)) about(finding);
    if (shots && language === "de") await page.screenshot({ path: `${shots}/${path.replaceAll(/[/?=#%]/g, "-")}.png`, fullPage: true });
    // A phone, and a window of 1,280 at 200 percent.
    for (const width of [390, 640]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      if (wide > width) about(`is ${wide} wide in a window of ${width}`);
      if (width > 390) continue;
      // What goes on beside a phone's screen is reached without a pointer too.
      if (path.includes("standings/")) for (const finding of await axe(page)) about(`on a phone ${finding}`);
      const small = await page.evaluate(() => [...document.querySelectorAll(".tabs a, .languages a, main tbody th a, main button, main select, main input:not([type=hidden], [type=checkbox])")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => `${one.tagName} ${one.textContent.slice(0, 20)} ${one.getBoundingClientRect().height}`));
      const words = await page.evaluate(() => [...document.querySelectorAll("main bdi")].filter((name) => name.checkVisibility()).flatMap((name) => {
        // A word that would have room in a line stands in one.
        const text = name.firstChild;
        if (!text) return [];
        return [...text.textContent.matchAll(/[^\s-]+/g)].filter((word) => {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          return word[0].length < 12 && new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1;
        }).map((word) => word[0]);
      }));
      if (words.length) about(`words are broken: ${words}`);
      const points = await page.evaluate(() => document.querySelector("[data-standings] tbody td.num:not(.strong, .wide)")?.getBoundingClientRect().right ?? 0);
      if (points > width) about(`the points stand at ${points}`);
      const results = await page.evaluate(() => Math.max(0, ...[...document.querySelectorAll(".pairs .outcome")].map((one) => one.getBoundingClientRect().right)));
      if (results > width) about(`the results stand at ${results}`);
      const rules = await page.evaluate(() => Math.max(0, ...[...document.querySelectorAll(".cards.narrow td")].map((one) => one.getBoundingClientRect().right)));
      if (rules > width) about(`the rule that was applied stands at ${rules}`);
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

// A projector: whatever the names are, every row is as high as was planned, 26 of them fit, and no record
// stands in two lines.
{
  const page = staff.page;
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const show of ["standings", "pairings"]) {
    await page.goto(`${origin}/t/${id}/screen?show=${show}&lang=de`);
    const rows = await page.evaluate(() => [...document.querySelectorAll(".columns tbody tr")].map((row) => ({
      high: row.getBoundingClientRect().height,
      lines: [...row.querySelectorAll(".num, .record")].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
      name: row.textContent,
    })));
    if (rows.length < 13 && show === "standings") findings.push(`the screen has ${rows.length} rows`);
    // Few rows are higher than many; a long name makes none higher than the others, and all are in sight.
    const usual = Math.min(...rows.map((row) => row.high));
    const [foot, top] = await page.evaluate(() => [Math.max(...[...document.querySelectorAll(".columns:not([hidden]) tbody tr")].map((row) => row.getBoundingClientRect().bottom)), document.querySelector("footer").getBoundingClientRect().top]);
    if (foot > top + 1) findings.push(`screen ${show}: rows reach ${foot}, the foot begins at ${top}`);
    for (const row of rows) {
      if (row.high > usual + 1.5) findings.push(`screen ${show}: a row is ${row.high} high, others ${usual}: ${row.name}`);
      if (row.lines.some((lines) => lines > 1)) findings.push(`screen ${show}: a number is broken: ${row.name}`);
    }
    const cut = await page.evaluate(() => [...document.querySelectorAll("tbody th bdi")]
      .filter((name) => name.scrollHeight > name.clientHeight + 2).map((name) => name.textContent));
    if (cut.length) findings.push(`screen ${show}: names are cut: ${cut}`);
    if (shots) await page.screenshot({ path: `${shots}/screen-${show}.png` });
  }
  // A screen shows what is new by itself; nothing waits for it here.
  await page.goto("about:blank");
  await page.setViewportSize({ width: 1280, height: 800 });
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
// The final standings of a projector have the points, not the round in which somebody went out.
await enterAll(id, 7);
await pair();
await seen(id, "publish");
await enterAll(id, 8);
await seen(id, "close");
await staff.page.goto(`${origin}/t/${id}/screen?show=standings&lang=de`);
say("screen's last column", await staff.page.textContent(".standing thead th:last-child"));
say("screen's points", await staff.page.locator(".standing tbody td.num:last-child").allTextContents());
say("screen's bracket", await staff.page.locator(".standing tbody td.ended").allTextContents());
await staff.page.goto("about:blank");
// Staff reads English, whatever their browser likes.
await staff.page.goto(`${origin}/t/${id}/standings`);
say("staff", await staff.page.evaluate(() => document.documentElement.lang));
say("findings", [...new Set(findings)]);
await browser.close();
