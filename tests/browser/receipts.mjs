// A receipt in a hand: the code of a strip of paper and of a player's phone is read by a camera, and opens the
// page that checks itself at this result, in a browser that has nothing else. Prints one line of JSON for
// each thing that was seen.

import { readFile } from "node:fs/promises";
import { axe, begin, watch } from "./kit.mjs";
import jsQR from "jsqr";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const NAMES = ["Ewa Wójcik", "Kenji Itō", "مريم حداد", "Maximilian-Alexander Freiherr von Hohenlohe"];
const desk = await begin(program, ownerLink);
const { browser, origin, page, post, get, seen, enterAll, broken } = desk;
const id = await desk.opened("Friday", NAMES.map((name) => ({ name })));
const { links } = await post(`/tournaments/${id}/player-links`, {});
await seen(id, "publish");
await enterAll(id, 1);

/// What a camera reads of a code.
async function scanned(code) {
  const png = (await code.screenshot()).toString("base64");
  const blank = await (await browser.newContext()).newPage();
  const { data, width, height } = await blank.evaluate(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { data: [...data], width, height };
  }, png);
  await blank.context().close();
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}

/// What somebody sees who has nothing but a browser.
async function opened(address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const their = await context.newPage();
  watch(their, broken);
  const answer = await their.goto(address);
  await their.waitForFunction(() => !["unchecked", "checking"].includes(document.documentElement.dataset.verdict));
  const said = {
    status: answer.status(), policy: answer.headers()["content-security-policy"], verdict: await their.textContent("#verdict"),
    mine: await their.innerText("#mine"), findings: await axe(their),
    wide: await their.evaluate(() => document.scrollingElement.scrollWidth),
  };
  if (shots) await their.screenshot({ path: `${shots}/receipt-390.png` });
  await context.close();
  return said;
}

/// What *Save this page* brings to the disk.
async function saved(address) {
  const context = await browser.newContext({ acceptDownloads: true });
  const their = await context.newPage();
  await their.goto(address);
  await their.waitForFunction(() => !["unchecked", "checking"].includes(document.documentElement.dataset.verdict));
  const [file] = await Promise.all([their.waitForEvent("download"), their.click("#ways a:has-text('Save this page')")]);
  const there = await (await fetch(`${origin}/t/${id}/page`)).text();
  const said = { name: file.suggestedFilename(), whole: await readFile(await file.path(), "utf8") === there };
  await context.close();
  return said;
}

await page.goto(`${origin}/t/${id}/print/receipts`);
const codes = await page.$$(".strip .qr");
say("strips", codes.length);
const address = await scanned(codes[0]);
say("address", address?.replace(origin, "").replace(/[0-9a-f]{32}$/, "…"));
say("before signing", (await opened(address)).mine);
// The next round signs what stands; the checkpoint is public with it.
await post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");
const later = await opened(address);
say("opened", later);
say("saved", await saved(address));
say("changed digits", (await opened(address.replace(/.{4}$/, "0000"))).mine);

// A player's phone shows the same code.
const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "de-DE" })).newPage();
watch(phone, broken);
const { tables } = await get(`/tournaments/${id}/rounds/1`);
const one = tables[0].players[0].number;
await phone.goto(origin + links.find((link) => link.player === one).path);
await Promise.all([phone.waitForNavigation(), phone.click("main form button")]);
await phone.click("summary:has-text('Beleg als Code')");
say("phone's code", (await scanned(await phone.$(".act .qr"))) === address);
await phone.click(`a[href$="${address.split("#")[1]}"]`);
await phone.waitForSelector("#mine:not([hidden])");
say("phone's link", await phone.innerText("#mine h2"));

// Where records are not for everybody, there is no page, and no code on paper.
const policies = await get(`/tournaments/${id}/policies`);
const put = await desk.context.request.put(`${origin}/api/v1/tournaments/${id}/policies`, {
  data: { ...policies, records: "with-token" }, headers: { "Idempotency-Key": "closed", Origin: origin },
});
say("put", [put.status(), put.ok() ? "" : await put.text()]);
await page.goto(`${origin}/t/${id}/print/receipts`);
say("codes then", [(await page.$$(".strip")).length, (await page.$$(".strip .qr")).length]);
say("page then", (await fetch(`${origin}/t/${id}/page`)).status);
say("broken", broken.filter((line) => !line.includes("403")));
await browser.close();
