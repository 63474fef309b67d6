// Two scorekeepers with a pile each enter one round at the same time; one slip is in both piles, with
// another score in each. Prints one line of JSON for each thing that was seen.

import { begin, sent, typeLines } from "./kit.mjs";

const [program, ownerLink] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);

const TABLES = 20;
const desk = await begin(program, ownerLink);
const id = await desk.opened("Friday", Array.from({ length: 2 * TABLES }, (_, at) => ({ name: `Player ${at + 1}` })));
await desk.seen(id, "publish");
const [one, two] = await Promise.all([desk.comes("scorekeeper", "Olga"), desk.comes("scorekeeper", "Hugo")]);
const both = [one, two];
await Promise.all(both.map((page) => page.goto(`${desk.origin}/t/${id}/entry`)));

// Olga from the first table on, Hugo from the last one back; both have table 10.
const olga = Array.from({ length: 10 }, (_, at) => `${at + 1} 2-0`);
const hugo = Array.from({ length: 11 }, (_, at) => `${TABLES - at} 2-1`);
await Promise.all([typeLines(one, olga), typeLines(two, hugo)]);
await Promise.all(both.map(sent));
const told = await Promise.all(both.map((page) => page.locator("[data-errors] li").allTextContents()));
const second = told[0].length ? 0 : 1;
say("told", told.flat());
say("first of both", ["2-1", "2-0"][second]);
say("own", await Promise.all(both.map((page) => page.locator("[data-own] tr").count())));

// What the other one has entered is no table to choose any more, without a reload.
await Promise.all(both.map((page) => page.waitForFunction(() => document.querySelector("[data-missing-count]").textContent === "0")));
await both[1].keyboard.type("1\n");
say("chosen", await both[1].locator("[data-say]").textContent());
await both[1].keyboard.press("Escape");

// The second one corrects what both had, and the first one's page has it.
const right = ["1-2", "0-2"][second];
await both[second].locator("[data-errors] button").last().click();
await both[second].keyboard.type("10\nc");
await both[second].waitForFunction(() => document.querySelector("[data-label]").textContent === "Correct 10");
await both[second].keyboard.type(` ${right}\n`);
await sent(both[second]);
await both[1 - second].waitForFunction((wanted) => document.querySelector('[data-table="10"]').dataset.result === wanted, right);
say("corrected", right);

const { tables } = await desk.get(`/tournaments/${id}/rounds/1`);
say("results", Object.fromEntries(tables.map((table) => [table.table, table.result])));
const { log } = await desk.get(`/tournaments/${id}/log`);
const of = (kind) => log.filter((line) => line.kind === kind);
say("recorded", of("result").length);
say("by", [...new Set(of("result").map((line) => line.by))].sort());
say("corrections", of("result corrected").length);
say("broken", desk.broken.filter((line) => !line.includes("409 (Conflict)")));
await desk.browser.close();
