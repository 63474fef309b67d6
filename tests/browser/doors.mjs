// The pages around a tournament: the list, a new one, who may do what, coming in, the second laptop,
// disputes with two reports that differ, what a code means and what is refused. Each is looked over by axe
// in light, dark and forced colors, on a laptop and on a phone. Prints one line of JSON for each thing that
// was seen.

import { axeInAllColors, begin, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const findings = [];

const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximiliane von Hohenlohe-Waldenburg", "Björn Åkesson", "Priya Raman", "Léa Dubois", "Diego Núñez"];
const desk = await begin(program, ownerLink);
const { context, origin, page, post } = desk;
watch(page, desk.broken);
const id = await desk.opened("Friday at the Anchor", NAMES.map((name) => ({ name })));
await desk.opened("Saturday’s open championship of all clubs along the river", NAMES.map((name) => ({ name })));
await desk.seen(id, "publish");
const orders = `/tournaments/${id}/orders`;
for (const name of NAMES.slice(0, 3)) await post(orders, { order: "check-in", player: name });
const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
const [first, second] = tables[0].players.map((one) => one.name);
await post(orders, { order: "claim", slip: `${first} 2-0` });
await post(orders, { order: "claim", slip: `${second} 2-1` });
await post(orders, { order: "result", slip: "1 2-0" });
await post(orders, { order: "dispute", table: "1", by: second, claim: "I won the third game, the judge saw it" });

/// Looks at what the page shows in every scheme, and whether it fits a phone and a window at 200 percent.
async function look(name, of = page) {
  await of.setViewportSize({ width: 1280, height: 800 });
  const picture = async (scheme) => {
    if (shots && scheme !== "forced") await of.screenshot({ path: `${shots}/${name}${scheme === "dark" ? "-dark" : ""}.png` });
  };
  for (const finding of await axeInAllColors(of, picture)) findings.push(`${name}: ${finding}`);
  for (const width of [640, 390]) {
    await of.setViewportSize({ width, height: 844 });
    const wide = await of.evaluate(() => document.scrollingElement.scrollWidth);
    if (wide > width) findings.push(`${name}: is ${wide} wide in a window of ${width}`);
  }
  if (shots) await of.screenshot({ path: `${shots}/${name}-390.png` });
  const small = await of.evaluate(() => [...document.querySelectorAll("main button, main select, main input:not([type=hidden], [type=checkbox], [type=radio])")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
    .map((one) => `${one.tagName} ${one.name} ${one.textContent.slice(0, 20)} ${one.getBoundingClientRect().height}`));
  if (small.length) findings.push(`${name}: targets are small on a phone: ${small.slice(0, 3)}`);
}
async function visit(name, path, status = 200, of = page) {
  const answer = await of.goto(origin + path);
  const type = answer.headers()["content-type"];
  if (answer.status() !== status) findings.push(`${name}: ${answer.status()}`);
  if (!type.startsWith("text/html")) findings.push(`${name}: is ${type}`);
  if (status >= 400) desk.broken.splice(0, Infinity, ...desk.broken.filter((line) => !line.includes(`status of ${status}`)));
  await look(name, of);
}
/// Posts the form of a page by its button, and looks at what is shown then.
async function act(name, button) {
  await Promise.all([page.waitForNavigation(), page.click(button)]);
  await look(name);
}

await visit("tournaments", "/");
await visit("new-tournament", "/new");
await page.goto(`${origin}/staff`);
await page.fill("#account-name", "Pia");
await page.fill("#account-password", "the hall closes at six");
await Promise.all([page.waitForNavigation(), page.click("form:has(#account-name) button")]);
await page.fill("#link-name", "Olga Šimková");
await act("staff-link", "form:has(#link-role) button");
const link = new URL(await page.locator("main").textContent().then((text) => /http:\S+\/join\/[\w-]+/.exec(text)[0])).pathname;
await page.goto(`${origin}/staff`);
await page.fill("#token-name", "Pairing board");
await act("staff-token", "form:has(#token-name) button");
await visit("staff", "/staff");
await page.goto(`${origin}/webhooks`);
await page.fill("#hook-url", "http://scores.example/hook");
await act("webhook-made", "form:has(#hook-url) button");
await visit("webhooks", "/webhooks");
await act("webhook-tried", "button[value=try]");
await Promise.all([page.waitForNavigation(), page.click("button[value=pause]")]);
await visit("webhook-paused", "/webhooks");
await visit("review", "/review");
await visit("review-verified", "/review?verify=true");
await visit("publisher", "/publisher");
await page.goto(`${origin}/stores`);
await page.fill("#store-name", "Card club");
await act("store-link", "form:has(#store-name) button");
const enrolls = await page.locator("main").textContent().then((text) => /http:\S+\/enroll\/\w+/.exec(text)[0]);
await visit("stores", "/stores");
await visit("enroll", new URL(enrolls).pathname);
// A store that enrolls at itself is told that it runs its tournaments here.
await page.goto(`${origin}/publisher?link=${encodeURIComponent(enrolls)}`);
await act("publisher-enrolled", "form:has(#link) button");
say("enrolled", (await page.locator("[role=status]").first().textContent()).includes("is enrolled"));
await act("publisher-ended", "form:has(input[value=end]) button");
await visit("season", "/season");
await page.fill("#rules", "battlefy");
await Promise.all([page.waitForNavigation(), page.click("form:has(#rules) button")]);
await page.waitForSelector("a[href='/season/moved']");
await look("season-done");
// No script runs on the page that can be saved: its words are read as they are sent.
say("who moves", (await (await page.request.get(`${origin}/season/moved`)).text()).includes("Who moves under battlefy"));
await visit("second", "/second");
await act("second-code", "form:has(input[value=code]) button");
await visit("disputes", `/t/${id}/disputes`);
await visit("dispute", `/t/${id}/disputes/1`);
say("claims", await page.locator("main .side").first().textContent());
await visit("problem", "/problems/result-stands");
say("problem", await page.locator("main p").first().textContent());
await visit("signed-in", "/sign-in");

// Somebody who is not known yet.
const guest = await desk.browser.newContext({ locale: "en-US" });
const other = await guest.newPage();
watch(other, desk.broken);
await visit("nobody-tournaments", "/", 200, other);
await visit("sign-in", "/sign-in", 200, other);
await other.fill("#name", "Pia");
await other.fill("#password", "the hall opens at six");
await Promise.all([other.waitForNavigation(), other.click("main form button")]);
desk.broken.splice(0, Infinity, ...desk.broken.filter((line) => !line.includes("status of 401")));
say("not signed in", (await other.locator("[role=alert]").textContent()).includes("Not signed in"));
await look("sign-in-refused", other);
await visit("nowhere", "/nowhere", 404, other);
await visit("no-tournament", "/t/00000000/standings", 404, other);
await visit("no-link", "/join/AAAA-BBBB-CCCC", 404, other);
// A program that asks for the same is told in its own way.
say("for programs", (await guest.request.get(`${origin}/nowhere`)).headers()["content-type"]);
await visit("not-allowed", "/staff", 403, other);
await visit("staff-page-of-nobody", `/t/${id}/desk`, 403, other);
await visit("join", link, 200, other);
// The link was made for somebody: nobody else comes in by it under another name.
if (await other.locator("input[name=name]").count()) throw new Error("a link that has a name asks for one");
await Promise.all([other.waitForNavigation(), other.click("main form button")]);
say("come in", new URL(other.url()).pathname);
await visit("judge-not-allowed", "/staff", 403, other);

say("findings", findings);
say("broken", desk.broken);
await desk.browser.close();
