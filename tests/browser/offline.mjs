// The page that checks itself, opened from a disk: somebody finds a player by keyboard alone, opens a link to
// their matches, looks at the bracket, and prints sheets. `node offline.mjs chromium <folder>` opens
// `page.html` of the folder and puts PDFs beside it. Prints a line of JSON for each thing that was seen.

import { axeInAllColors } from "./kit.mjs";
import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [program, folder, record] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const findings = [];
const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const address = pathToFileURL(`${folder}/page.html`).href;

async function opened(hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on("console", (line) => { if (line.type() === "error") findings.push(line.text()); });
  page.on("pageerror", (error) => findings.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) findings.push(`asks for ${request.url()}`); });
  await page.goto(address + hash);
  await page.waitForFunction(() => ["consistent", "differs", "incomplete"].includes(document.documentElement.dataset.verdict));
  return { context, page };
}
const rows = (page, within) => page.$$eval(`${within} tbody tr`, (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

{
  const { context, page } = await opened();
  // By keyboard: past the link of the status to the field, a part of a name without its marks, Enter.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  say("focus", await page.evaluate(() => document.activeElement.id));
  await page.keyboard.type("wojc");
  say("hits", await page.$$eval("#hits a", (all) => all.map((one) => one.textContent)));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#mine:not([hidden])");
  say("address", new URL(page.url()).hash);
  say("picked", await page.textContent("#mine h2"));
  say("place", await page.textContent("#mine p"));
  say("matches", await rows(page, "#mine"));
  say("stages", await page.$$eval(".bracket h3", (all) => all.map((one) => one.textContent)));
  say("goes on", await page.$$eval(".bracket .won th", (all) => all.map((one) => one.textContent)));
  await page.fill("#who", "nobody of this name");
  say("nobody", await page.textContent("#found"));
  findings.push(...await axeInAllColors(page));
  for (const width of [390, 640]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
    if (wide > width) findings.push(`is ${wide} wide in a window of ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  // A sheet as the button prints it: what it sets stays until the print is done.
  await page.evaluate(() => { window.print = () => {}; });
  for (const [what, button] of [["standings", "#prints button:nth-child(1)"], ["bracket", "#prints button:nth-child(2)"], ["matches", "#mine button"]]) {
    for (const format of ["A4", "Letter"]) {
      await page.click(button);
      // The browser says of itself when it has printed.
      await page.pdf({ path: `${folder}/${what}-${format}.pdf`, format });
    }
  }
  say("after printing", await page.evaluate(() => document.documentElement.dataset.print ?? null));
  // What a phone saves of the page is a picture of it.
  const { data } = await (await context.newCDPSession(page)).send("Page.captureSnapshot", { format: "mhtml" });
  writeFileSync(`${folder}/picture.mhtml`, data);
  const picture = await context.newPage();
  await picture.goto(pathToFileURL(`${folder}/picture.mhtml`).href);
  say("picture", await picture.evaluate(() => [getComputedStyle(document.querySelector("#status"), "::before").content, document.querySelector("#verdict").checkVisibility(), document.querySelector("#save").checkVisibility()]));
  await context.close();
}

// What was disputed and ruled stands in the list of both players of the match, and of nobody else.
{
  const { context, page } = await opened("#player=1");
  const lists = [];
  for (let number = 1; number <= 9; number += 1) {
    await page.evaluate((to) => { location.hash = to; }, `#player=${number}`);
    await page.waitForFunction(() => document.activeElement.id === "mine");
    lists.push(await page.$$eval("#mine li", (all) => all.map((one) => one.textContent)));
  }
  say("disputed", lists.filter((list) => list.some((one) => one.includes("disputes")) && list.some((one) => one.endsWith("is denied"))).length);
  say("ruled", lists.filter((list) => list.some((one) => one.endsWith("is denied"))).length);
  await context.close();
}

// Who comes by a link sees what it names, and whether it is what they hold.
for (const [what, hash] of [["record", `#record=${record}`], ["another record", `#record=${record.slice(0, -8)}00000000`], ["no record", "#record=999999-0011223344556677"], ["link", "#player=2"]]) {
  const { context, page } = await opened(hash, { viewport: { width: 390, height: 800 } });
  say(what, await page.innerText("#mine"));
  say(`verdict of ${what}`, await page.textContent("#verdict"));
  await context.close();
}
say("findings", findings);
await browser.close();
