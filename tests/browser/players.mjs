// Players on their phones: links that a button binds, reports that wait without a network and arrive once, two
// that make a result, a dispute that both follow, and the page without scripts. Prints one line of JSON for
// each thing that was seen.

import { axe, axeInAllColors, begin, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const findings = [];

const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximilian-Alexander Freiherr von Hohenlohe", "Björn Åkesson", "Priya Raman"];
const desk = await begin(program, ownerLink);
const { browser, origin, post, get, seen, broken } = desk;
const id = await desk.opened("Friday", NAMES.map((name) => ({ name })));
const { links } = await post(`/tournaments/${id}/player-links`, {});
const pathOf = new Map(links.map((one) => [one.player, one.path]));
const { tables } = await get(`/tournaments/${id}/rounds/1`);
const [one, two] = tables[0].players.map((player) => player.number);
const shot = async (name, page) => { if (shots) await page.screenshot({ path: `${shots}/${name}.png` }); };

async function look(page, about) {
  for (const finding of await axeInAllColors(page)) findings.push(`${about} ${finding}`);
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
  if (wide > page.viewportSize().width) findings.push(`${about} is ${wide} wide`);
  const small = await page.evaluate(() => [...document.querySelectorAll("main button, main .btn, main summary")]
    .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 43.5).map((button) => button.textContent));
  if (small.length) findings.push(`${about}: small targets ${small}`);
}

async function phone(player, options = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US", ...options });
  const page = await context.newPage();
  watch(page, broken);
  await page.goto(origin + pathOf.get(player));
  if (player === one) {
    await look(page, "the link");
    await shot("player-link", page);
  }
  await Promise.all([page.waitForNavigation(), page.click("main form button")]);
  return page;
}

const ann = await phone(one);
const bo = await phone(two, { locale: "de-DE" });
say("bound", new URL(ann.url()).pathname.endsWith("/me"));
const elsewhere = await (await browser.newContext()).newPage();
say("a second phone", (await elsewhere.goto(origin + pathOf.get(one))).status());

// Nothing of the draft; the round comes by itself.
say("draft", await ann.locator(".tbl").count());
await ann.waitForSelector("[data-live].on");
await seen(id, "publish");
await ann.waitForSelector(".tbl");
say("table", (await ann.textContent(".tbl")).trim());
await look(ann, "the page");
await bo.waitForSelector(".tbl");
await look(bo, "the page in German");
// A table that the desk moves is shown where it stands now, on phones and on the page of everybody.
await elsewhere.goto(`${origin}/t/${id}/round`);
await elsewhere.waitForSelector("[data-live].on");
const move = (table) => seen(id, "set-pairing", { players: [`#${one}`, `#${two}`], table, reason: "stairs" });
await move(9);
await ann.waitForFunction(() => document.querySelector(".tbl")?.textContent.includes("9"));
await elsewhere.waitForFunction(() => [...document.querySelectorAll(".pairs th.table")].some((one) => one.textContent === "9"));
say("moved", (await ann.textContent(".tbl")).trim());
await move(1);
await ann.waitForFunction(() => document.querySelector(".tbl")?.textContent.includes("1"));
await shot("player", ann);

// Without a network the report waits, over a change of mind, and arrives once.
await ann.context().setOffline(true);
await ann.click('button[value="2-0"]');
await ann.waitForSelector("[data-unsent]:not([hidden])");
say("unsent", (await ann.textContent("[data-unsent]")).includes("not sent yet"));
await ann.evaluate(() => { for (const one of document.querySelectorAll("[data-part] details.report")) one.open = true; });
await look(ann, "what waits");
await shot("player-unsent", ann);
say("nothing is claimed", (await get(`/tournaments/${id}/log?after=0`)).log.filter((line) => line.sentence.includes("claimed")).length);
await ann.click("[data-unsent] button");
// A tap during which the page moves up, since nothing waits any more, hits nothing, and is made again.
const waits = (score) => ann.waitForFunction((score) => document.querySelector("[data-unsent]").textContent.includes(score), score, { timeout: 3000 }).then(() => true, () => false);
for (let tries = 0; tries < 3; tries += 1) {
  await ann.click('button[value="2-1"]');
  if (await waits("2–1")) break;
}
await ann.context().setOffline(false);
await ann.waitForFunction(() => document.querySelector(".seat")?.textContent.includes("You reported"));
say("sent", await ann.locator(".seat").textContent());
say("claims", (await get(`/tournaments/${id}/log?after=0`)).log.filter((line) => line.sentence.includes("claimed")).length);
// The desk has the next one, its answer is lost, and then the line: nobody says that it was not sent, also after the page
// was opened again, and there is nothing to take back. What is meant instead goes behind it.
await ann.route("**/me", async (route) => {
  if (route.request().method() !== "POST") return route.fallback();
  await route.fetch();
  await ann.context().setOffline(true);
  return route.abort();
});
const report = async (score) => {
  await ann.evaluate(() => { document.querySelector("[data-part] details.report").open = true; });
  await ann.click(`button[value="${score}"]`);
};
const unsent = async () => {
  await ann.waitForFunction(() => document.querySelector("[data-unsent]:not([hidden])")?.textContent.includes("may be recorded already"));
  const rows = (words) => ann.locator("[data-unsent] p", { hasText: words }).count();
  return [await rows("may be recorded already"), await rows("not sent yet"), await ann.locator("[data-unsent] button", { hasText: "Take it back" }).count()];
};
await report("2-0");
say("no answer", await unsent());
await look(ann, "what may be recorded");
await ann.reload();
say("no answer, opened again", await unsent());
await report("2-1");
await ann.waitForFunction(() => document.querySelectorAll("[data-unsent] strong").length === 2);
await ann.waitForFunction(() => document.querySelector("[data-unsent]").textContent.includes("not sent yet"));
say("meant instead", await unsent());
await ann.unroute("**/me");
await ann.context().setOffline(false);
await ann.waitForFunction(() => document.querySelector("[data-unsent]").hidden && document.querySelector(".seat")?.textContent.includes("you won 2–1"));
say("claims then", (await get(`/tournaments/${id}/log?after=0`)).log.filter((line) => line.sentence.includes("claimed")).length);
// The other phone is told that there is one, and not what it says.
await bo.waitForFunction(() => document.querySelector(".seat").textContent.includes("hat gemeldet"));
// On a slow network it is shown to be on its way; where it was too much in a minute, that it is sent again.
await bo.evaluate(() => {
  const quick = window.fetch;
  let isFirst = true;
  window.fetch = async (...all) => {
    if (all[1]?.method !== "POST") return quick(...all);
    await new Promise((done) => setTimeout(done, 2000));
    const slow = isFirst && new Response('{"code":"slow-down"}', { status: 429, headers: { "Content-Type": "application/problem+json" } });
    isFirst = false;
    return slow || quick(...all);
  };
});
await bo.click('button[value="1-2"]');
await bo.waitForFunction(() => document.querySelector("[data-unsent]:not([hidden])")?.textContent.includes("Wird gesendet"));
say("on its way", await bo.locator("[data-unsent] button").count());
await bo.waitForFunction(() => document.querySelector("[data-unsent]").textContent.includes("gleich von selbst"));
say("too much", (await bo.textContent("[data-live]")).includes("keine Verbindung"));
await bo.waitForSelector(".seat .result");
await ann.waitForSelector(".seat .result");
say("recorded", [await ann.locator(".seat .result").textContent(), await bo.locator(".seat .result").textContent()]);
say("result", (await get(`/tournaments/${id}/rounds/1`)).tables[0].result);

// Minutes that a judge gives their table, an announcement and a penalty come to the open page.
const floor = (data) => desk.context.request.patch(`${origin}/api/v1/tournaments/${id}/floor`, {
  data, headers: { "Idempotency-Key": JSON.stringify(data), Origin: origin, "Content-Type": "application/json" },
});
await floor({ do: "extend", table: 1, minutes: 5 });
await ann.waitForFunction(() => document.querySelector(".seat .tag")?.textContent.includes("5"));
say("minutes", await ann.locator(".seat .tag").textContent());
await floor({ do: "announce", text: "Lunch until two" });
await bo.waitForFunction(() => document.body.textContent.includes("Lunch until two"));
await post(`/tournaments/${id}/orders`, { order: "penalty", player: `#${one}`, takes: "warning", reason: "Fensterbank" });
await ann.waitForFunction(() => document.body.textContent.includes("Penalties"));
say("penalized", await ann.locator("section", { hasText: "Penalties" }).last().textContent());

// From the standings there is a way back to one's own page; nobody else sees one.
await ann.locator("a", { hasText: "Where do I stand" }).click();
await ann.waitForSelector("[data-mine]:visible");
await ann.locator(".tabs a", { hasText: "Standings" }).click();
await ann.locator("[data-mine]").click();
await ann.waitForSelector(".me h1.name");
say("back", new URL(ann.url()).pathname.endsWith("/me"));
await elsewhere.goto(`${origin}/t/${id}/standings`);
say("nobody's page", await elsewhere.locator("[data-mine]:visible").count());

// A dispute, and its ruling, on both phones as they happen.
await bo.locator("summary", { hasText: "Einspruch" }).click();
await bo.fill("#claim", "Es war 2-0 für mich");
await bo.locator("details button", { hasText: "Einspruch" }).click();
await ann.waitForFunction(() => document.body.textContent.includes("disputed it"));
await post(`/tournaments/${id}/orders`, { order: "rule", dispute: 1, upheld: false, reason: "Fensterbank" });
for (const [page, words] of [[ann, "Decided: not upheld"], [bo, "Entschieden: nicht stattgegeben"]]) {
  await page.waitForFunction((words) => document.body.textContent.includes(words), words);
}
say("reason told", (await ann.content()).includes("Fensterbank"));
await shot("player-recorded", ann);

// A third player has no scripts: forms do it all.
const [third, fourth] = tables[1].players.map((player) => player.number);
const plain = await phone(third, { javaScriptEnabled: false });
await Promise.all([plain.waitForNavigation(), plain.click('button[value="2-0"]')]);
say("without scripts", (await plain.textContent("main")).includes("Sent."));
// Their phone was not known before the round: the desk confirms.
const late = await phone(fourth);
// A finger that taps twice reports once: what moved under it does not open.
await late.dblclick('button[value="0-2"]');
await late.waitForFunction(() => document.body.textContent.includes("The desk confirms it"));
say("a second tap", await late.locator("details[open]").count());
await late.waitForTimeout(500);
await late.locator("summary", { hasText: "Drop" }).click();
await late.locator("button", { hasText: "I wish to drop" }).click();
await late.waitForFunction(() => document.body.textContent.includes("You wish to drop"));
await desk.page.setViewportSize({ width: 1280, height: 800 });
await desk.page.goto(`${origin}/t/${id}/desk`);
say("alerts", await desk.page.locator(".alerts .what").allTextContents());
await shot("desk-players-report", desk.page);
await desk.page.locator(".alerts button", { hasText: "Record" }).click();
await desk.page.waitForLoadState("load");
say("confirmed", (await get(`/tournaments/${id}/rounds/1`)).tables[1].result);

// What the desk has of it: who has a phone, and strips.
await desk.page.goto(`${origin}/t/${id}/players?player=${one}`);
say("phones", await desk.page.locator(".tag", { hasText: "phone" }).count());
for (const finding of await axe(desk.page)) findings.push(`players ${finding}`);
await desk.page.goto(`${origin}/t/${id}/print/badges`);
for (const finding of await axe(desk.page)) findings.push(`badges ${finding}`);
await desk.page.locator("main form button").last().click();
await desk.page.waitForSelector(".strip");
say("strips", await desk.page.locator(".strip").count());
for (const finding of await axe(desk.page)) findings.push(`strips ${finding}`);
await shot("player-strips", desk.page);
say("findings", [...new Set(findings)]);
say("broken", broken.filter((line) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|403/.test(line)));
await browser.close();
