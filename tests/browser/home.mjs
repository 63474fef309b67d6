// A player's page on the home screen of a phone: it opens without a network and says when that was, nothing
// kept is shown while the desk answers, reports wait and arrive once, and what is kept goes when the link does.
// Prints one line of JSON for each thing that was seen.

import { axe, begin, served, watch } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const desk = await begin(program, ownerLink);
const { browser, origin, post, get, seen } = desk;
const server = served(origin);
const id = await desk.opened("Friday", ["Ewa", "Kenji", "Maryam", "Max"].map((name) => ({ name })));
const { links } = await post(`/tournaments/${id}/player-links`, {});
const { tables } = await get(`/tournaments/${id}/rounds/1`);
const [one, two] = tables[0].players.map((player) => player.number);
const broken = [];

const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US", colorScheme: "dark" });
const phone = await context.newPage();
watch(phone, broken);
await phone.goto(origin + links.find((link) => link.player === one).path);
await Promise.all([phone.waitForNavigation(), phone.click("main form button")]);
const own = phone.url();

// What the phone needs for its home screen.
const manifest = await phone.getAttribute("link[rel=manifest]", "href");
const told = await (await context.request.get(origin + manifest)).json();
say("manifest", [told.name, told.display, `${origin}${told.start_url}` === own, told.icons.map((icon) => icon.sizes)]);
const icon = await (await context.request.get(origin + told.icons[0].src)).body();
say("icon", icon.subarray(1, 4).toString());
// Chromium's own word on whether it can be installed.
const line = await context.newCDPSession(phone);
await phone.evaluate(() => navigator.serviceWorker.ready.then(() => null));
const { installabilityErrors } = await line.send("Page.getInstallabilityErrors");
say("not installable because", installabilityErrors.map((error) => error.errorId).filter((error) => error !== "in-incognito"));
say("color", await phone.evaluate(() => [...document.querySelectorAll("meta[name=theme-color]")].filter((one) => matchMedia(one.media).matches).map((one) => one.content)));

// The page is kept once the worker is there.
const keeps = (words) => phone.waitForFunction(async (words) => {
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) {
      const kept = await (await (await caches.open(name)).match(request)).text();
      if (kept.includes("data-me") && kept.includes(words)) return true;
    }
  }
  return false;
}, words);
await keeps("Friday");
await seen(id, "publish");
await phone.waitForSelector(".tbl");
await keeps("Table");

// The desk is gone: the page opens, says when that was, and a report waits.
server.end("SIGKILL");
await server.isGone();
broken.length = 0;
await phone.goto("about:blank");
const at = await phone.evaluate(() => new Date().toLocaleTimeString("en", { hour12: false, hour: "2-digit", minute: "2-digit" }));
await phone.goto(own);
say("kept", (await phone.textContent("[data-kept]")).replace(/\d\d:\d\d/, (time) => (time <= at ? "TIME" : time)));
say("kept table", (await phone.textContent(".tbl")).trim());
say("styled", await phone.evaluate(() => getComputedStyle(document.querySelector(".tbl .no")).fontSize));
say("findings", await axe(phone));
if (shots) await phone.screenshot({ path: `${shots}/player-offline.png` });
await phone.click('button[value="2-0"]');
await phone.waitForSelector("[data-unsent]:not([hidden])");
// Another report is meant instead, and no other page is there to lose sight of it. (Within 400 ms it would be
// the second tap of one.)
await phone.waitForTimeout(500);
await phone.evaluate(() => { document.querySelector('button[value="2-1"]').closest("details").open = true; });
await phone.click('button[value="2-1"]');
await phone.waitForFunction(() => /2\D1/.test(document.querySelector("[data-unsent] strong").textContent));
await phone.click(".tabs a");
await phone.waitForTimeout(300);
say("waits", [phone.url() === own, await phone.locator("[data-unsent] strong").count(), await phone.locator("[data-unsent]").isVisible()]);
// A page that was never open has nothing of somebody else in it.
const other = await context.newPage();
await other.goto(own.replace(`player=${one}`, `player=${two}`));
say("never open", [await other.textContent("h1"), await other.locator(".me").count()]);
await other.close();
say("blocked", broken.filter((error) => !/ERR_|Failed to (load|fetch)/.test(error)));

// It comes back: the page is what it is now, and the report arrived once.
await server.begin();
await phone.waitForFunction(() => document.querySelector(".seat")?.textContent.includes("you won 2–1"), null, { timeout: 60_000 });
say("renewed", [await phone.locator("[data-kept]:not([hidden])").count(), (await get(`/tournaments/${id}/log?after=0`)).log.filter((line) => line.sentence.includes("claimed")).length]);
await desk.post(`/tournaments/${id}/orders`, { order: "result", slip: "1 2-1" });
await phone.reload();
say("never stale", [await phone.locator("[data-kept]:not([hidden])").count(), await phone.locator(".seat .result").count()]);

// A desk that hangs: what was kept is shown after a while, and says so.
const hangs = await context.newPage();
server.pause();
await hangs.goto(own, { timeout: 60_000 });
say("hangs", await hangs.locator("[data-kept]:not([hidden])").count());
server.goOn();
await hangs.waitForFunction(() => document.querySelector("[data-kept]").hidden, null, { timeout: 60_000 });
await hangs.close();

// Whose link is freed keeps nothing.
const freed = await desk.context.request.delete(`${origin}/api/v1/tournaments/${id}/player-links/${one}/device`, {
  headers: { "Idempotency-Key": "free", Origin: origin },
});
say("freed", freed.ok());
await phone.goto(own);
await phone.waitForFunction(async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("scrutineer page"));
  const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
  return kept.every((count) => count === 0);
});
server.end("SIGKILL");
await server.isGone();
await phone.goto(own).catch(() => {});
say("nothing kept", await phone.textContent("h1"));
if (shots) await phone.screenshot({ path: `${shots}/player-offline-empty.png` });
await browser.close();
