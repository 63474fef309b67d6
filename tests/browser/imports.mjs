// Files of other programs in the browser: chosen, looked at, columns picked, stored, brought up to date by a
// newer file, and given away again. Prints one line of JSON for each thing that was seen.

import { axeInAllColors, begin } from "./kit.mjs";
import { readFileSync } from "node:fs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const shot = async (name, of) => { if (shots) await of.screenshot({ path: `${shots}/${name}.png`, fullPage: true }); };

const desk = await begin(program, ownerLink);
const page = await desk.comes("head-judge", "Hedda");
const findings = [];
const look = async (name) => {
  for (const one of await axeInAllColors(page)) findings.push(`${name}: ${one}`);
};
const text = async (selector) => (await page.locator(selector).first().textContent()).replaceAll(/\s+/g, " ").trim();
const listed = async () => (await desk.get("/tournaments")).tournaments.length;
const pressed = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
const file = (name, lines) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`${lines.join("\n")}\n`) });

/// Chooses files by the button of the browser and sends the form with the keyboard.
async function choose(files) {
  await page.goto(`${desk.origin}/import`);
  await page.setInputFiles("#file", files);
  await page.focus("#rules");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

await page.goto(desk.origin);
await pressed("a:has-text('Import a file')");
await look("choose");

// A sheet whose second column of names nobody can tell.
const rows = ["Runde;Spieler;Farbe;Ergebnis", "1;Ewa Wójcik;Kenji Itō;2-0", "1;مريم حداد;Björn Åkesson;2-1", "2;Ewa Wójcik;مريم حداد;1-2", "2;Kenji Itō;Björn Åkesson;2-0"];
await choose([file("abend.csv", rows)]);
say("asks", await text("[role=alert]"));
say("focus order", await page.evaluate(() => [...document.querySelectorAll("main select")].map((one) => one.getAttribute("aria-label"))));
say("nothing to store yet", await page.locator("button:has-text('Store it')").count());
await shot("import-columns", page);
await look("asks");
await page.selectOption("[name=c3]", "player_b");
await page.fill("#rules", "mtr");
await page.focus("[name=pick]");
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
say("understood", await text("dl.facts"));
await shot("import", page);
await look("understood");
say("before", await listed());
const forms = page.url();
await pressed("button:has-text('Store it')");
say("stored", await text("[role=status]"));
await look("stored");
// The way back of the browser, and the button once more.
await page.goto(forms);
say("pressed again", [await page.locator("button:has-text('Store it')").count(), await listed()]);

// A file that grows while its tournament is played elsewhere.
const head = ["# event: Friday Modern", "# date: 2026-10-02", "# finished: no", "# rules: mtr"];
const columns = "round,table,player_a,player_b,games_a,games_b,games_drawn";
await choose([file("friday.csv", [...head, columns, "1,1,Ann,Bob,2,0,0", "1,2,Cid,Dot,,,"])]);
await pressed("button:has-text('Store it')");
await choose([file("friday.csv", [...head, `${columns},kind`, "1,1,Ann,Bob,2,1,0,", "1,2,Dot,Cid,2,0,0,", "1,,Bob,,,,,drop", "2,1,Ann,Dot,,,,", "2,2,Cid,Eve,,,,"])]);
say("brings", await page.locator("#renews ~ ul li").allTextContents());
await shot("import-newer", page);
await look("brings");
await pressed("button:has-text('Bring it up to date')");
say("brought", await text("[role=status]"));
await pressed("[role=status] a");
say("players", (await desk.get("/tournaments/Friday%20Modern")).players);
say("leads to", new URL(page.url()).pathname.replace(/[0-9a-f]{8}/, "ID"));

// Tables that are narrow are seen at any width.
await page.goto(`${desk.origin}/t/Friday%20Modern/standings/1`);
say("why is seen", await page.locator("table.narrow").first().isVisible());

// Several files at once.
await choose([file("a.csv", ["# event: Monday", "# rules: mtr", columns, "1,1,Ann,Bob,2,0,0"]), file("b.txt", ["what we ate"])]);
say("several", await page.locator("tbody tr").count());
await look("several");
await pressed("button:has-text('Store 1 of them')");
say("in all", await listed());

// Given away again.
await page.goto(`${desk.origin}/t/Monday/desk`);
await pressed("a:has-text('export')");
await shot("export", page);
await look("export");
await page.check("[name=format][value=trf]");
const [download] = await Promise.all([page.waitForEvent("download"), page.click("button:has-text('Download')")]);
const given = readFileSync(await download.path(), "utf8");
say("given away", [download.suggestedFilename().replace(/[0-9a-f]{8}/, "ID"), given.includes("Ann"), given.startsWith("012 Monday")]);
await page.check("[name=format][value=tdf]");
await pressed("button:has-text('Download')");
say("refused", (await text("[data-said]")).includes("save the tournament in that program"));

// In German, without scripts, and on a phone's width.
const plain = await desk.browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 }, storageState: await page.context().storageState() });
const phone = await plain.newPage();
await phone.goto(`${desk.origin}/import?lang=de`);
await phone.setInputFiles("#file", [file("abend.csv", rows.map((row) => row.replace("Ewa", "Eva")))]);
await Promise.all([phone.waitForNavigation(), phone.click("button:has-text('Ansehen')")]);
say("german", (await phone.locator("[role=alert]").first().textContent()).trim());
say("wide", await phone.evaluate(() => document.documentElement.scrollWidth));
say("findings", findings);
// A format that needs its file was refused, which was meant.
say("broken", desk.broken.filter((line) => !/409/.test(line)));
await desk.browser.close();
