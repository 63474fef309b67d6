// What scripts of the browser share: the owner comes in, and orders are given as programs give them.

import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/// Starts the browser, in which the owner's link was followed.
export async function begin(program, ownerLink, options = {}) {
  const executablePath = execFileSync("sh", ["-c", `command -v ${program}`]).toString().trim();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 900, height: 1200 }, locale: "en-US", ...options });
  const page = await context.newPage();
  const origin = new URL(ownerLink).origin;
  await page.goto(ownerLink);
  await page.fill("input[name=name]", "Ann Lindberg");
  await Promise.all([page.waitForNavigation(), page.click("form button")]);
  const broken = [];
  const given = orders(context, origin);
  /// The page of somebody who came by a link of their own for a role; what their console says goes to `broken`.
  async function comes(role, name, options = {}) {
    const { path } = await given.post("/links", { role, name });
    const theirs = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
    const their = await theirs.newPage();
    watch(their, broken);
    await their.goto(origin + path);
    await Promise.all([their.waitForNavigation(), their.click("form button")]);
    return their;
  }
  return { browser, context, page, origin, broken, comes, ...given };
}

/// Puts what a page's console says of errors, also of its policy, into a list.
export function watch(page, broken) {
  page.on("console", (line) => { if (line.type() === "error") broken.push(`${page.url()}: ${line.text()}`); });
  page.on("pageerror", (error) => broken.push(`${page.url()}: ${error}`));
}

/// Types whole lines into the field of the entry page, each with Enter.
export async function typeLines(page, lines) {
  for (const line of lines) await page.keyboard.type(`${line}\n`);
}

/// A wired desk of a tournament: the session of a scorekeeper, that posts the form of the entry page as its
/// script does. Returns what enters the score of a table.
export async function wired(desk, id, name) {
  const base = `${desk.origin}/t/${id}`;
  const page = await desk.comes("scorekeeper", name);
  await page.goto(`${base}/entry`);
  const { key, round, signer } = await page.evaluate(() => ({ ...document.querySelector("[data-entry]").dataset, ...document.body.dataset }));
  const { request } = page.context();
  await page.close();
  let slips = 0;
  return async (table, score) => {
    slips += 1;
    const form = { order: "result", slip: `${table} ${score}`, round, key: `${key}-${slips}`, signer };
    const answer = await request.post(`${base}/orders`, { form, headers: { Accept: "application/json", Origin: desk.origin }, timeout: 60_000 });
    if (!answer.ok()) throw new Error(`${name}, ${form.slip}: ${answer.status()} ${await answer.text()}`);
  };
}

/// Waits until the entry page has sent everything.
export const sent = (page) =>
  page.waitForFunction(() => document.querySelector("[data-queue]").textContent.startsWith("Everything"), null, { timeout: 180_000 });

/// Orders of a program in the session of a browser.
function orders(context, origin) {
  let keys = 0;
  const headers = (more) => {
    keys += 1;
    return { "Idempotency-Key": `script-${keys}`, Origin: origin, "Content-Type": "application/json", ...more };
  };
  async function post(path, data, fine = [200, 201]) {
    const answer = await context.request.post(`${origin}/api/v1${path}`, { data, timeout: 600_000, headers: headers() });
    const text = await answer.text();
    if (!fine.includes(answer.status())) throw new Error(`${path} ${JSON.stringify(data).slice(0, 200)}: ${answer.status()} ${text.slice(0, 400)}`);
    // The answer to an array is a line for each.
    return JSON.parse(text.split("\n")[0]);
  }
  const get = async (path) => (await context.request.get(`${origin}/api/v1${path}`)).json();
  /// An order that is decided on what stands: it says what was seen.
  async function seen(id, order, more = {}) {
    const answer = await context.request.get(`${origin}/api/v1/tournaments/${id}`);
    const done = await context.request.post(`${origin}/api/v1/tournaments/${id}/orders`, {
      data: { order, ...more }, headers: headers({ "If-Match": answer.headers().etag }), timeout: 600_000,
    });
    if (!done.ok()) throw new Error(`${order}: ${await done.text()}`);
  }
  /// Enters the results of a round that are missing, all but the last few.
  async function enterAll(id, round, but = 0) {
    const { tables } = await get(`/tournaments/${id}/rounds/${round}`);
    const open = tables.filter((table) => table.result === null).map((table) => table.table);
    const slips = open.slice(0, open.length - but).map((table) => ({ order: "result", slip: `${table} ${["2-0", "2-1", "1-2", "0-2"][table % 4]}` }));
    // A request takes 30 seconds at most, and a program that is not optimized takes its time.
    for (let at = 0; at < slips.length; at += 20) await post(`/tournaments/${id}/orders`, slips.slice(at, at + 20), [200, 201, 207]);
  }
  /// Opens a tournament with these players, and pairs its first round.
  async function opened(title, people, more = {}) {
    const made = await post("/tournaments", { title, rules: "mtr", phases: ["swiss:5", "single-elimination:8"], held_on: "2026-11-22", ...more });
    const id = String(made.tournament?.id ?? made.id ?? made.tournament);
    await post(`/tournaments/${id}/orders`, { order: "enroll", people });
    await post(`/tournaments/${id}/orders`, { order: "pair" });
    return id;
  }
  return { post, get, seen, enterAll, opened };
}

/// The server of this script, which it ends and begins again on the same port.
export function served(origin) {
  let pid = Number(process.env.SCRUTINEER_SERVER);
  process.on("exit", () => { if (pid) process.kill(pid, "SIGKILL"); });
  function end(signal) {
    process.kill(pid, signal);
    pid = 0;
  }
  const answers = () => fetch(`${origin}/sign-in`, { redirect: "manual" }).then((answer) => answer.status < 500, () => false);
  async function until(wanted) {
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await answers()) === wanted) return;
      await new Promise((resume) => setTimeout(resume, 100));
    }
    throw new Error(wanted ? "the server did not start again" : "the server did not stop");
  }
  async function begin(words = []) {
    const server = spawn(process.env.SCRUTINEER_PROGRAM, ["serve", "--listen", new URL(origin).host, ...words], { stdio: "ignore" });
    // This script ends while the server runs.
    server.unref();
    pid = server.pid;
    await until(true);
  }
  /// It is there and does nothing, as a laptop whose lid is closed.
  const pause = () => process.kill(pid, "SIGSTOP");
  const goOn = () => process.kill(pid, "SIGCONT");
  return { end, begin, pause, goOn, isGone: () => until(false) };
}

const SCHEMES = [{ colorScheme: "light", forcedColors: "none" }, { colorScheme: "dark", forcedColors: "none" }, { forcedColors: "active" }];
const OF_COLORS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
const axeSource = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/// What axe finds on a page. The policy of the page holds for scripts of the page; axe is asked for from
/// outside of it.
export async function axe(page, runOnly = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]) {
  const frame = await page.context().newCDPSession(page);
  const said = async (expression) => (await frame.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
  if (await said("typeof axe") !== "object") await said(axeSource);
  const found = await said(`axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] })
    .then((found) => JSON.stringify(found.violations.map((one) =>
      [one.id, one.nodes[0].target, one.nodes[0].any[0]?.message ?? ""].join(" "))))`);
  await frame.detach();
  return JSON.parse(found ?? "[]");
}

/// The same in light, in dark and in forced colors; what has nothing to do with colors is looked for once.
/// `seen` is told of each while the page shows it.
export async function axeInAllColors(page, seen = async () => {}) {
  const findings = [];
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ ...scheme, reducedMotion: "reduce" });
    const found = await axe(page, scheme === SCHEMES[0] ? undefined : OF_COLORS);
    findings.push(...found.map((one) => `${JSON.stringify(scheme)} ${one}`));
    await seen(scheme.colorScheme ?? "forced");
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  return findings;
}
