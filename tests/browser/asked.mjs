// What the desk asks before it pairs, cuts, closes and corrects; a projector with a link of its own; a new
// tournament that is refused; the address of a tournament. Prints one line of JSON for each thing that was
// seen.

import { axe, begin, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const shot = async (name, of) => { if (shots) await of.screenshot({ path: `${shots}/${name}.png` }); };

const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximilian-Alexander Freiherr von Hohenlohe", "Björn Åkesson", "Priya Raman", "Léa Dubois", "Diego Núñez"];
const desk = await begin(program, ownerLink);
const made = await desk.post("/tournaments", { title: "Friday", rules: "mtr", phases: ["swiss:2", "single-elimination:4"] });
const id = String(made.tournament?.id ?? made.id ?? made.tournament);
const base = `${desk.origin}/t/${id}`;
const order = (one) => desk.post(`/tournaments/${id}/orders`, one);
const head = async () => (await desk.get(`/tournaments/${id}`)).seq;
await order({ order: "enroll", people: NAMES.map((name) => ({ name })) });
await order({ order: "check-in", player: "#1" });

const page = await desk.comes("head-judge", "Hedda");
const submit = (press) => Promise.all([page.waitForNavigation(), press]);
const text = async (selector) => (await page.locator(selector).first().textContent()).replaceAll(/\s+/g, " ").trim();
const findings = [];
const look = async (name, of) => { for (const one of await axe(of)) findings.push(`${name}: ${one}`); };

/// Presses what comes next; what is asked, whether anything was recorded, and where it leads once it is meant.
async function press(path, selector) {
  await page.goto(`${base}/${path}`);
  const before = await head();
  await submit(page.click(selector));
  const asked = await text("main");
  const recorded = (await head()) - before;
  return { asked, recorded };
}
const sure = async () => {
  await submit(page.click("form:has(input[name=sure]) button"));
  return { at: page.url().replace(base, "").replace(/\d+/g, "N"), said: await text("[data-said]") };
};

say("pairing round 1", await press("desk", ".next form button"));
await look("not checked in", page);
say("paired all the same", (await sure()).said);
await page.goto(`${base}/round`);
say("draft", await text(".checks"));
await submit(page.click("form:has(input[value=publish]) button"));
await desk.enterAll(id, 1);
await order({ order: "dispute", table: "2", round: 1, claim: "it was a draw" });
say("pairing round 2", await press("desk", ".next form button"));
await look("asked", page);
await shot("asked", page);
// Back: nothing was recorded.
await submit(page.click("main a.btn:has-text('Back')"));
say("back", page.url().replace(base, ""));
await press("desk", ".next form button");
say("went on", (await sure()).said);
await desk.seen(id, "publish");
await desk.enterAll(id, 2);
say("the cut", await press("desk", ".next form button"));
await sure();
await page.goto(`${base}/desk`);
say("after the cut", await text(".next"));
await press("desk", ".next form button");
await sure();
await desk.seen(id, "publish");

// The projector: a computer of its own that nobody signed in at.
await page.goto(`${base}/desk`);
await page.click("main a[href$='/screen-link']");
await submit(page.click("main form button"));
await look("link of the screen", page);
await shot("screen-link", page);
const address = await text("main .address");
say("code of the address", await page.locator("main svg.qr").count());
const hall = await desk.browser.newContext({ viewport: { width: 1920, height: 1080 }, locale: "en-US" });
const screen = await hall.newPage();
watch(screen, desk.broken);
say("projector", (await screen.goto(address)).status());
say("shows", await screen.locator("h1").textContent());
say("cookies", (await hall.cookies()).length);
await desk.context.request.patch(`${desk.origin}/api/v1/tournaments/${id}/floor`, { data: { do: "show", what: "bracket" }, headers: { "Idempotency-Key": "show", Origin: desk.origin } });
await screen.waitForSelector(".bracket");
const fits = (of) => of.evaluate(() => [...document.querySelectorAll("main bdi")].filter((one) => {
  const cell = one.closest("th, td, li").getBoundingClientRect();
  const own = one.getBoundingClientRect();
  return own.right > cell.right + 1 || own.bottom > cell.bottom + 2 || own.left < cell.left - 1 || one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflowY === "hidden";
}).map((one) => one.textContent));
const filled = (of, selector) => of.evaluate((wanted) => {
  const main = document.querySelector("main").getBoundingClientRect();
  const box = [...document.querySelectorAll(wanted)].map((one) => one.getBoundingClientRect());
  const [left, right] = [Math.min(...box.map((one) => one.left)), Math.max(...box.map((one) => one.right))];
  const [top, bottom] = [Math.min(...box.map((one) => one.top)), Math.max(...box.map((one) => one.bottom))];
  return { wide: Math.round(100 * (right - left) / main.width), high: Math.round(100 * (bottom - top) / main.height) };
}, selector);
const settled = (of) => of.waitForFunction(() => document.body.dataset.fitted !== undefined);
await settled(screen);
say("bracket", { cut: await fits(screen), fills: await filled(screen, ".bracket li") });
await shot("screen-bracket", screen);
for (const [show, selector] of [["standings", ".columns table"], ["pairings", ".columns table"]]) {
  await page.goto(`${base}/screen?show=${show}`);
  for (const [width, height] of [[1920, 1080], [1024, 768]]) {
    await page.setViewportSize({ width, height });
    await page.reload();
    await settled(page);
    say(`${show} ${width}`, { cut: await fits(page), fills: await filled(page, selector) });
    await shot(`screen-top8-${show}-${width}`, page);
  }
}
await page.setViewportSize({ width: 1280, height: 800 });
// The link can do nothing, and ends with the next one.
const bare = await hall.newPage();
say("no rights", [(await bare.goto(`${base}/desk`)).status(), (await bare.goto(`${base}/screen`)).status()]);
await page.goto(`${base}/screen-link`);
await submit(page.click("main form button"));
say("the old link", (await bare.goto(address)).status());

// Closing names the dispute, and a ruling behind it asks.
await desk.enterAll(id, 3);
await order({ order: "pair" });
await desk.seen(id, "publish");
await desk.enterAll(id, 4);
say("closing", await press("desk", ".next form button"));
say("closed", (await sure()).said);
await page.goto(`${base}/disputes/1`);
await page.check("input[name=upheld][value=true]");
await page.fill("#score", "1-1");
await page.fill("#why", "the slip says so");
const before = await head();
await submit(page.click("form.ruling button.main"));
say("ruling when closed", { asked: await text("main"), recorded: (await head()) - before });
await look("ruling", page);
await shot("asked-closed", page);
say("ruled", (await sure()).said);

// A tournament that is refused keeps what was typed.
const owner = desk.page;
await owner.goto(`${desk.origin}/new`);
await owner.fill("#title", "Winter Cup");
await owner.fill("#rules", "no-such-rules");
await owner.fill("#held_on", "2027-01-09");
await owner.selectOption("#best_of", "5");
await owner.fill("#phase1", "swiss:4");
await owner.fill("#phase2", "single-elimination:8");
await Promise.all([owner.waitForNavigation(), owner.click("form[method=post] button")]);
const value = (selector) => owner.inputValue(selector);
say("refused", {
  why: (await owner.locator("[role=alert]").textContent()).includes("no-such-rules"),
  fields: [await value("#title"), await value("#rules"), await value("#held_on"), await value("#best_of"), await value("#phase1"), await value("#phase2")],
});
await owner.fill("#rules", "mtr");
await Promise.all([owner.waitForNavigation(), owner.click("form[method=post] button")]);
say("mended", /\/t\/[^/]+\/(desk|players)/.test(owner.url()));

// The address of a tournament leads to its page.
say("address of staff", (await page.goto(base), page.url().replace(base, "")));
say("address of others", (await bare.goto(base), bare.url().replace(base, "")));
await bare.goto(`${desk.origin}/t/${id}/no-such-page`);
say("nowhere", (await bare.content()).includes("<html"));
say("findings", findings);
desk.broken = desk.broken.filter((line) => !/40[34]|409/.test(line));
say("broken", desk.broken);
await desk.browser.close();
