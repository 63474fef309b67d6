// A page of another site reads what everybody reads, with the client for JavaScript. Prints one line of JSON for
// each thing that was seen.

import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { begin } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const desk = await begin(program, ownerLink);
const made = await desk.post("/tournaments", { title: "Sunday", rules: "carde", phases: ["swiss:2"] });
const id = String(made.tournament?.id ?? made.id ?? made.tournament);
await desk.post(`/tournaments/${id}/orders`, { order: "enroll", people: ["Ann", "Bob", "Cid", "Dee"].map((name) => ({ name })) });
await desk.post(`/tournaments/${id}/orders`, { order: "pair" });
await desk.seen(id, "publish");

const client = readFileSync("../../clients/javascript/scrutineer.mjs");
const site = createServer((request, answer) => {
  const isClient = request.url === "/scrutineer.mjs";
  answer.writeHead(200, { "Content-Type": isClient ? "text/javascript" : "text/html" });
  answer.end(isClient ? client : "<!doctype html><title>A stream</title>");
});
await new Promise((listens) => { site.listen(0, "127.0.0.1", listens); });

const elsewhere = `http://127.0.0.1:${site.address().port}/`;
const context = await desk.browser.newContext();
const page = await context.newPage();
await page.goto(elsewhere);
const seen = await page.evaluate(async ({ origin, id }) => {
  const { Client, Refused } = await import("/scrutineer.mjs");
  const client = new Client(origin);
  const seen = { titles: (await client.listTournaments()).tournaments.map((one) => one.tournament.title) };
  seen.players = (await client.getTournament(id)).players;
  seen.unchanged = await client.getTournament(id, { ifNoneMatch: client.etag });
  try {
    await client.getRound(id, 9);
  } catch (error) {
    seen.refused = error instanceof Refused ? error.status : String(error);
  }
  for await (const told of client.watch(id, { lastEventId: "1" })) {
    seen.watched = told.event;
    break;
  }
  try {
    await fetch(`${origin}/api/v1/tournaments`, { headers: { Authorization: "Bearer scr_0" } });
    seen.token = "sent";
  } catch {
    seen.token = "kept from it";
  }
  try {
    await fetch(`${origin}/t/${id}`);
    seen.page = "read";
  } catch {
    seen.page = "kept from it";
  }
  return seen;
}, { origin: desk.origin, id });
for (const [what, value] of Object.entries(seen)) say(what, value);
site.close();
await desk.browser.close();
