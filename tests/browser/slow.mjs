// A phone on a slow line, 400 kbit/s and 300 ms away, with a processor a quarter as fast: what the first load of
// the page of a player and of the public pages costs, and when there is something to read. Prints one line of
// JSON for each thing that was seen.

import { begin, watch } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const KBIT = 1000 / 8;
const LOADS = 3;

const desk = await begin(program, ownerLink);
const { browser, origin, post, seen, broken } = desk;
const id = await desk.opened("Spring Open", Array.from({ length: 256 }, (_, at) => ({ name: `Maximilian Player${at + 1}` })));
const { links } = await post(`/tournaments/${id}/player-links`, { players: [1] });
await seen(id, "publish");
await desk.enterAll(id, 1);
await post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");

const room = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US", isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
const phone = await room.newPage();
watch(phone, broken);
await phone.goto(origin + links.find((one) => one.player === 1).path);
await Promise.all([phone.waitForNavigation(), phone.click("main form button")]);
const own = new URL(phone.url()).pathname;
await phone.close();

/// Loads a page as a phone does that has nothing of it yet; `useful` is what somebody looks for on it.
async function load(path, useful) {
  const page = await room.newPage();
  watch(page, broken);
  const line = await room.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.clearBrowserCache");
  // Nor is anything kept by the worker of a page before.
  await line.send("Storage.clearDataForOrigin", { origin, storageTypes: "service_workers,cache_storage" });
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 300, downloadThroughput: 400 * KBIT, uploadThroughput: 400 * KBIT });
  await line.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  const files = [];
  const paths = new Map();
  line.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    files.push(`${paths.get(requestId)} ${encodedDataLength}`);
  });
  await page.goto(`${origin}${path}`, { waitUntil: "load", timeout: 120_000 });
  await page.waitForSelector(useful);
  const paint = await page.evaluate(() => new Promise((done) => {
    const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    new PerformanceObserver((list) => done(Math.max(first, ...list.getEntries().map((one) => one.startTime))))
      .observe({ type: "largest-contentful-paint", buffered: true });
    setTimeout(() => done(first), 2000);
  }));
  // What scripts ask for behind the first paint is a part of the load.
  await page.waitForTimeout(1000);
  await page.close();
  return { bytes, paint: Math.round(paint), files };
}

for (const [name, path, useful] of [
  ["player", own, ".tbl"],
  ["pairings", `/t/${id}/round`, "main table"],
  ["standings", `/t/${id}/standings`, "main table"],
]) {
  const loads = [];
  for (let at = 0; at < LOADS; at += 1) loads.push(await load(path, useful));
  // The machine does other things too: the best of them is what the page costs.
  const best = loads.reduce((one, other) => (other.paint < one.paint ? other : one));
  say(name, best);
}
say("broken", broken);
await browser.close();
