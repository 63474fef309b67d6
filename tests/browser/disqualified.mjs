// In the top 8 the head judge disqualifies somebody: first by mistake and undone, then in the middle of
// the quarter-finals, then a semi-finalist whose match is over. The reason stays private. Prints one line of
// JSON for each thing that was seen.

import { begin } from "./kit.mjs";

const [program, ownerLink, shots] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const WHY = "a marked deck, seen by two judges";
const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 16 }, (_, at) => ({ name: `Player ${at + 1}` })));
const base = `${desk.origin}/t/${id}`;
const order = (one) => desk.post(`/tournaments/${id}/orders`, one);
const tables = async (round) => (await desk.get(`/tournaments/${id}/rounds/${round}`)).tables;
const names = (table) => table.players.map((one) => one.name);
await desk.seen(id, "publish");
for (const round of [1, 2, 3, 4, 5]) {
  await desk.enterAll(id, round);
  if (round === 5) break;
  await order({ order: "pair" });
  await desk.seen(id, "publish");
}
await desk.seen(id, "cut");
await order({ order: "pair" });
await desk.seen(id, "publish");

const page = await desk.comes("head-judge", "Hedda");
const submit = (press) => Promise.all([page.waitForNavigation(), press]);
const text = async (selector) => (await page.locator(selector).first().textContent()).replaceAll(/\s+/g, " ").trim();
async function disqualify({ name, number }) {
  await page.goto(`${base}/players`);
  await submit(page.locator("tbody th a", { hasText: new RegExp(`^${name}$`) }).click());
  await page.click("summary:has-text('Disqualify')");
  await page.fill("#dq-why", WHY);
  const asked = await text("details[open] form p");
  await submit(page.click("details[open] form button"));
  return { asked, said: await text("[data-said]"), number };
}

const quarter = await tables(6);
// The wrong one of two at a table: undone where it was said, and their match is missing again.
const [right, wrong] = quarter[1].players;
say("wrong one", await disqualify(wrong));
await submit(page.click("[data-said] form button"));
say("undone", { said: await text("[data-said]"), result: (await tables(6))[1].result });
const done = await disqualify(right);
say("disqualified", { ...done, name: right.name });
say("quarter-final", { result: (await tables(6))[1].result, against: wrong.name });
if (shots) await page.screenshot({ path: `${shots}/disqualified.png` });
await desk.enterAll(id, 6);
await order({ order: "pair" });
await desk.seen(id, "publish");
const semi = await tables(7);
say("semi-finals", { players: semi.flatMap(names), wants: wrong.name, never: right.name });

// The winner of a semi-final, after their match and before the final is paired.
await order({ order: "result", slip: `${semi[0].table} 2-0` });
await order({ order: "result", slip: `${semi[1].table} 2-0` });
const winner = semi[0].players[0];
say("winner", { ...(await disqualify(winner)), name: winner.name });
await page.goto(`${base}/desk`);
say("next", await text(".next"));
if (shots) await page.screenshot({ path: `${shots}/disqualified-desk.png` });
await submit(page.click(".next form button"));
say("after pairing", { at: page.url().replace(base, ""), said: await text("[data-said]") });
await page.goto(`${base}/round`);
say("final", { tables: (await tables(8)).length, row: await text(".pairs tbody tr"), goes: semi[1].players[0].name });
if (shots) await page.screenshot({ path: `${shots}/disqualified-final.png` });
await submit(page.click("form:has(input[value=publish]) button"));
await page.goto(`${base}/desk`);
await submit(page.click(".next form button"));
say("closed", (await desk.get(`/tournaments/${id}`)).state);

// What everybody reads: they take no place, and nobody is told why.
const guest = await (await desk.browser.newContext({ locale: "en-US" })).newPage();
const told = [];
for (const path of ["standings", "round/6", "round/8", "bracket"]) {
  const answer = await guest.goto(`${base}/${path}`);
  told.push(`${path} ${answer.status()}`);
  if ((await guest.content()).includes("marked deck")) told.push(`${path} tells why`);
}
say("public", told);
await guest.goto(`${base}/standings/${winner.number}`);
say("no place", (await guest.locator("main").textContent()).replaceAll(/\s+/g, " ").trim());
await guest.goto(`${base}/standings`);
say("without a place", await guest.locator("main tbody tr:not([data-place])").count());
say("places", await guest.locator("main tbody tr[data-place]").allTextContents().then((rows) => rows.map((row) => row.replaceAll(/\s+/g, " ").trim())));
// The log of the staff has who, why and when.
const { log } = await desk.get(`/tournaments/${id}/log?after=120`);
say("log", log.filter((line) => line.kind === "player dropped").map((line) => line.by));
say("broken", desk.broken);
await desk.browser.close();
