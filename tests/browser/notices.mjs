// Phones that are told while their page is closed. The browser's own service is another company's, so the script
// plays it: it gives the phone an address and keys, takes what the desk sends, checks the signature, decrypts it as
// RFC 8291 says, and hands it to the worker. Prints one line of JSON for each thing that was seen.

import { begin, served, watch } from "./kit.mjs";
import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import https from "node:https";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const wait = (ms) => new Promise((resume) => setTimeout(resume, ms));

// ---- the service ----

const phones = new Map();
const taken = [];
const answers = [];
const service = https.createServer({ cert: readFileSync(process.env.PUSH_CERT), key: readFileSync(process.env.PUSH_KEY) }, (request, answer) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const phone = phones.get(request.url);
    const status = phone.isGone ? 410 : answers.shift() ?? 201;
    taken.push({ to: request.url, phone, headers: request.headers, body: Buffer.concat(parts), status });
    answer.writeHead(status).end();
  });
});
await new Promise((resume) => service.listen(0, "localhost", resume));
const at = `https://localhost:${service.address().port}`;

function address() {
  const keys = crypto.createECDH("prime256v1");
  const phone = { path: `/send/${phones.size}`, keys, public: keys.generateKeys(), secret: crypto.randomBytes(16), isGone: false };
  phones.set(phone.path, phone);
  return { endpoint: at + phone.path, p256dh: phone.public.toString("base64url"), auth: phone.secret.toString("base64url") };
}

function opened({ phone, body }) {
  const [salt, length] = [body.subarray(0, 16), body[20]];
  const [theirs, text] = [body.subarray(21, 21 + length), body.subarray(21 + length)];
  const derive = (secret, salt, about, size) => Buffer.from(crypto.hkdfSync("sha256", secret, salt, about, size));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), phone.public, theirs]);
  const key = derive(phone.keys.computeSecret(theirs), phone.secret, info, 32);
  const [content, nonce] = [derive(key, salt, "Content-Encoding: aes128gcm\0", 16), derive(key, salt, "Content-Encoding: nonce\0", 12)];
  const read = crypto.createDecipheriv("aes-128-gcm", content, nonce);
  read.setAuthTag(text.subarray(-16));
  const plain = Buffer.concat([read.update(text.subarray(0, -16)), read.final()]);
  if (plain.at(-1) !== 2) throw new Error("no last record");
  return JSON.parse(plain.subarray(0, -1));
}

/// Whether a request is signed by the key that the phone was given for it, and what is claimed.
function signed({ headers }, key) {
  const [, token, named] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization);
  const [head, claims, signature] = token.split(".");
  const raw = Buffer.from(named, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: raw.subarray(1, 33).toString("base64url"), y: raw.subarray(33).toString("base64url") };
  const is = crypto.verify("SHA256", Buffer.from(`${head}.${claims}`), { key: crypto.createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  return { is: is && named === key, claims: JSON.parse(Buffer.from(claims, "base64url")) };
}

async function told(count) {
  for (let tries = 0; taken.length < count && tries < 400; tries += 1) await wait(100);
  if (taken.length < count) throw new Error(`${taken.length} notices instead of ${count}`);
  return taken.splice(0, count);
}

// ---- the desk and two phones ----

const desk = await begin(program, ownerLink);
const { browser, origin, post, get, seen, broken } = desk;
const server = served(origin);
const id = await desk.opened("Friday", ["Ewa", "Kenji", "Maryam", "Max"].map((name) => ({ name })));
const { links } = await post(`/tournaments/${id}/player-links`, {});
const { tables } = await get(`/tournaments/${id}/rounds/1`);
const [one, two] = tables[0].players.map((player) => player.number);
const asked = [];

async function phone(player, locale) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale });
  await context.grantPermissions(["notifications"], { origin });
  await context.exposeFunction("addressOfThisPhone", (key) => {
    asked.push(key);
    return address();
  });
  await context.addInitScript(() => {
    let made = null;
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const { endpoint, ...keys } = await window.addressOfThisPhone(applicationServerKey);
      made = { toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { made = null; } };
      return made;
    };
  });
  const page = await context.newPage();
  watch(page, broken);
  await page.goto(origin + links.find((link) => link.player === player).path);
  await Promise.all([page.waitForNavigation(), page.click("main form button")]);
  await page.waitForSelector("[data-notices]:not([hidden])");
  return page;
}

const ann = await phone(one, "en-US");
const bo = await phone(two, "de-DE");
say("asked before the press", asked.length);
if (shots) await ann.screenshot({ path: `${shots}/player-notices.png` });
for (const page of [ann, bo]) {
  await page.click("[data-notices] button");
  await page.waitForFunction(() => document.querySelector("[data-notices] p").textContent !== "");
}
const key = await ann.getAttribute("[data-notices]", "data-key");
say("asked", new Set(asked).size === 1 && asked[0] === key ? 1 : asked);
say("says", await ann.textContent("[data-notices] p"));
await wait(1500);
say("of a draft", taken.length);

await seen(id, "publish");
const first = (await told(2)).sort((one, other) => (one.to < other.to ? -1 : 1));
say("told", first.map(opened).flatMap(({ title, body }) => [title, body]));
say("sealed", first.every(({ body }) => !/Friday|Round|table/.test(body.toString("latin1"))));
say("signed", first.map((one) => signed(one, key).is));
const { headers } = first[0];
say("headers", [headers["content-encoding"], headers.ttl, headers.urgency, headers.topic]);
const { aud, exp, sub } = signed(first[0], key).claims;
const now = Date.now() / 1000;
say("claims", [aud === at, exp > now && exp < now + 24 * 3600, sub.startsWith("https://")]);

// The worker shows what was told.
const line = await ann.context().newCDPSession(ann);
const registrations = new Promise((found) => line.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] && found(registrations[0])));
await line.send("ServiceWorker.enable");
const { registrationId } = await registrations;
await line.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(opened(first[0])) });
const shown = () => ann.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => [title, body]));
for (let tries = 0; tries < 50 && !(await shown()).length; tries += 1) await wait(100);
say("shown", (await shown())[0]);

// A ruling; the service has a fault at first, and one phone is gone for good.
phones.get(first[1].to).isGone = true;
answers.push(503);
await post(`/tournaments/${id}/orders`, { order: "dispute", table: `#${one}`, claim: "It was 2-0", by: `#${one}` });
await post(`/tournaments/${id}/orders`, { order: "rule", dispute: 1, upheld: true, reason: "Fensterbank" });
const ruling = await told(3);
say("ruled", [...new Set(ruling.filter(({ to, status }) => to === first[0].to && status === 201).map((one) => opened(one).body))]);
await bo.reload();
await bo.waitForSelector("[data-notices]");
say("gone", [await bo.locator("[data-notices][data-told]").count() > 0, await ann.reload().then(() => ann.locator("[data-notices][data-told]").count()) > 0]);

// Over a restart nothing is told twice, and the next round once.
server.end("SIGKILL");
await server.isGone();
await server.begin(["--webhooks-to", "localhost", "--authorities", process.env.PUSH_CA]);
await desk.enterAll(id, 1);
await post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");
const second = await told(1);
await wait(1500);
say("again", [second.length + taken.length, opened(second[0]).body.split(":")[0]]);

// Whoever presses again is told no more; an address of the own network is none.
await ann.waitForSelector("[data-notices]:not([hidden])");
await ann.click("[data-notices] button");
await ann.waitForFunction(() => document.querySelector("[data-notices] p").textContent === "");
await desk.enterAll(id, 2);
await post(`/tournaments/${id}/orders`, { order: "pair" });
await seen(id, "publish");
await wait(2500);
say("ended", taken.length);
say("not public", await ann.evaluate(async (player) => {
  const { endpoint, keys } = { endpoint: "https://127.0.0.1:9/x", keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } };
  const answer = await fetch(`${location.pathname}/notices`, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ do: "tell", player, endpoint, ...keys }) });
  return answer.status;
}, one));
say("broken", broken.filter((error) => !/422|ERR_CONNECTION|Failed to load/.test(error)));
service.close();
await browser.close();
