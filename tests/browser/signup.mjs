// Names are typed one after another while the desk is slow: none is lost, none is enrolled twice, and the
// field is never taken away. Prints one line of JSON for each thing that was seen.

import { begin } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const made = await desk.post("/tournaments", { title: "Friday", rules: "mtr", phases: ["swiss:3"] });
const id = String(made.tournament?.id ?? made.id ?? made.tournament);
const page = await desk.comes("scorekeeper", "Olga");
await page.goto(`${desk.origin}/t/${id}/players`);
await page.waitForSelector("[data-live].on");
const names = async () => (await desk.get(`/tournaments/${id}/players`)).players.map((one) => one.name);
const shown = () => page.locator("[data-players-list] th[scope=row]").allTextContents().then((all) => all.map((name) => name.trim()).sort());
const settled = () => page.waitForFunction(() => /ready for the next|to mend/.test(document.querySelector("[data-signup-queue]").textContent));

// No order arrives before all is typed; what is typed behind Enter goes into the field, not into nothing.
let arrive;
const typed = new Promise((resolve) => { arrive = resolve; });
await page.route("**/orders", async (route) => {
  await typed;
  await route.continue();
});
await page.keyboard.type("Ann Lee\nBob Smith\nCid Noor\nZo");
say("while it is under way", { field: await page.locator("#name").inputValue(), focus: await page.evaluate(() => document.activeElement.id), enrolled: (await names()).length });
arrive();
await settled();
await page.waitForFunction(() => document.querySelectorAll("[data-players-list] th[scope=row]").length === 3);
await page.keyboard.type("ë Berg");
say("typed on", await page.locator("#name").inputValue());
await page.keyboard.press("Enter");
await settled();
await page.locator("[data-players-list]", { hasText: "Zoë Berg" }).waitFor();
say("enrolled", await names());
say("shown", await shown());
say("said", (await page.locator("[data-said]").textContent()).replaceAll(/\s+/g, " ").trim());
say("no news of one's own", (await page.locator("[data-live]").textContent()).trim());

// A name that is taken is kept with why; another person of that name is one button.
await page.keyboard.type("Ann Lee\nDee");
await page.waitForSelector("[data-signup-errors] li");
say("taken", { line: await page.locator("[data-signup-errors] li").textContent(), field: await page.locator("#name").inputValue() });
if (shots) await page.screenshot({ path: `${shots}/sign-up-refused.png` });
await page.click("[data-signup-errors] button:has-text('Another person')");
await settled();
await page.waitForFunction(() => document.querySelector("[data-signup-errors]").hidden);
say("two of a name", (await names()).filter((name) => name.startsWith("Ann Lee")).length);

// One that is left is gone, and what is typed next is a name again.
await page.locator("#name").fill("");
await page.keyboard.type("Bob Smith\n");
await page.waitForSelector("[data-signup-errors] li");
await page.click("[data-signup-errors] button:has-text('Leave it')");
say("left", { focus: await page.evaluate(() => document.activeElement.id), hidden: await page.locator("[data-signup-errors]").isHidden() });

// The Wi-Fi is gone: what was typed waits, also over a reload, and arrives once.
await page.locator("#name").fill("");
await page.context().setOffline(true);
await page.locator("#name").focus();
await page.keyboard.type("Eva Wong\nFay Ito\n");
await page.waitForFunction(() => document.querySelector("[data-signup-queue]").textContent.includes("2 wait here"));
await page.context().setOffline(false);
page.once("dialog", (dialog) => dialog.accept());
await page.reload();
await page.locator("[data-players-list]", { hasText: "Fay Ito" }).waitFor();
say("after a reload", (await names()).filter((name) => /Eva|Fay/.test(name)));
// Undo stands beside what was recorded last.
await page.waitForSelector("[data-said] form button");
await Promise.all([page.waitForNavigation(), page.click("[data-said] form button")]);
say("undone", (await names()).length);
// A name that is typed is a name on every page of the sign-up, and where somebody comes in: a letter of it was the key
// of a tab, and Enter paired the round.
const focus = () => page.evaluate(() => document.activeElement.id);
await page.locator("[data-players-list] th a").first().click();
await page.waitForURL(/player=/);
say("beside a player", await focus());
// Whoever was acted on is where it goes on; a name that is typed then is no key of a tab.
await Promise.all([page.waitForNavigation(), page.locator("button", { hasText: "Check in" }).click()]);
say("checked in", await page.evaluate(() => document.activeElement.closest("tr")?.id));
await page.keyboard.type("jad");
say("typed behind it", page.url().split("/").pop().split("?")[0]);
const next = await desk.post("/tournaments", { title: "Saturday", rules: "mtr", phases: ["swiss:3"] });
const saturday = String(next.tournament?.id ?? next.id ?? next.tournament);
await page.goto(`${desk.origin}/t/${saturday}/players?like=${id}`);
say("beside regulars", await focus());
// Who is enrolled by name leaves the list, in which what was ticked stays ticked.
const regulars = (which) => page.locator(`[data-regulars] label${which}`).evaluateAll((all) => all.map((one) => one.textContent.trim()));
await page.locator("[data-regulars] label", { hasText: "Zoë Berg" }).locator("input").check();
await page.locator("#name").focus();
await page.keyboard.type("Bob Smith\n");
await page.locator("[data-regulars] label", { hasText: "Bob Smith" }).waitFor({ state: "detached" });
say("regulars left", { bob: (await regulars("")).includes("Bob Smith"), ticked: await regulars(":has(:checked)") });
await Promise.all([page.waitForNavigation(), page.click("button[name=all]")]);
await page.keyboard.type("Jad");
say("behind all of them", { focus: await focus(), field: await page.locator("#name").inputValue() });
const { path } = await desk.post("/links", { role: "judge" });
const coming = await (await desk.browser.newContext()).newPage();
await coming.goto(desk.origin + path);
say("coming in", await coming.evaluate(() => document.activeElement.id));

// That a name was taken and that nothing was reached without Wi-Fi was meant.
say("broken", desk.broken.filter((line) => !/409|ERR_INTERNET_DISCONNECTED/.test(line)));
await desk.browser.close();
