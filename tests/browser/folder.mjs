// The public pages as files, opened from a disk: every link leads to a page, the page that checks itself does so,
// and nothing is hard to see or to reach. `node folder.mjs chromium <folder>`; prints a line of JSON for
// each thing that was seen.

import { axeInAllColors, watch } from "./kit.mjs";
import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const [program, folder, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
const findings = [];
const broken = [];
watch(page, broken);
// Axe asks for style sheets by itself, which a browser refuses on a disk.
const isOfAxe = (line) => /XMLHttpRequest|net::ERR_FAILED/.test(line);
page.on("requestfailed", (request) => { if (request.resourceType() !== "xhr") findings.push(`not there: ${request.url()}`); });
page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) findings.push(`asks for ${request.url()}`); });

const seen = new Set();
const waiting = [pathToFileURL(`${folder}/index.html`).href];
while (waiting.length > 0) {
  const address = waiting.pop().split("#")[0];
  if (seen.has(address) || !address.endsWith(".html")) continue;
  seen.add(address);
  await page.goto(address);
  waiting.push(...await page.$$eval("a[href]", (links) => links.map((link) => link.href)));
  const name = address.split("/").at(-1);
  if (name === "page.html") continue;
  for (const finding of await axeInAllColors(page)) findings.push(`${name} ${finding}`);
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
  if (wide > 390) findings.push(`${name} is ${wide} wide on a phone`);
  await page.setViewportSize({ width: 1280, height: 800 });
  if (shots) await page.screenshot({ path: `${shots}/folder-${name}.png` });
}
say("pages", [...seen].map((address) => address.split("/").at(-1)).sort());
await page.goto(pathToFileURL(`${folder}/index.html`).href);
await Promise.all([page.waitForNavigation(), page.click("footer a")]);
await page.waitForFunction(() => document.documentElement.dataset.verdict === "consistent");
say("checked", await page.textContent("#verdict"));
say("findings", [...findings, ...broken.filter((line) => !isOfAxe(line))]);
await browser.close();
