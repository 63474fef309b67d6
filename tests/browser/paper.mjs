// Everything that is printed, as PDF in A4 and in Letter, for tournaments of 23, 250 and 1,200: as many
// pages as planned, nothing beyond its place, every name found again in the PDF, slips in cutting order,
// codes read back. Prints one line of JSON for each thing that was seen; what is wrong stands in
// "findings", which the test wants empty.

import { begin } from "./kit.mjs";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import jsQR from "jsqr";

const [program, ownerLink, keep] = process.argv.slice(2);
const say = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`);
const folder = keep ?? mkdtempSync(`${tmpdir()}/paper-`);
const findings = [];
const MM = 96 / 25.4;
const PAPERS = [{ format: "A4", wide: 210, high: 297, lang: "en" }, { format: "Letter", wide: 215.9, high: 279.4, lang: "de" }];

const FIRST = ["Ann", "Björn", "Chloé", "Diego", "Ewa", "Femi", "Greta", "Hugo", "İpek", "Jan", "Kenji", "Léa", "Maximiliane", "Noah", "Olga", "Priya", "Quentin", "Rita", "Søren", "Tomás", "Urszula", "Valentína", "Wilhelmina", "Ximena", "Yusuf", "Zoë", "Þórunn", "Елена", "Γιώργος", "Łukasz"];
const LAST = ["Kowalski", "Šimková", "Bækgaard", "Lefèvre", "Núñez", "Wójcik", "Adebayo", "Lindqvist", "Martín", "Yılmaz", "O’Connor", "van der Berg", "Itō", "Dubois", "Fischer", "Raman", "Moreau", "Ribeiro", "Åkesson", "Papadopoulos", "Müller-Lüdenscheidt", "Nguyễn", "Þorsteinsson", "Иванова", "Αγγελόπουλος", "Żółkiewski", "Öztürk", "Ćorić", "Wiśniewska", "Tamm", "Hohenlohe-Waldenburg", "Mbeki", "Rossi", "García", "Smith", "Lee", "Novák", "Varga", "Popescu", "Jensen"];
const ODD = ["مريم حداد", "ליאור אבני", "Maximiliane von Hohenlohe-Waldenburg-Schillingsfürst", "<b>Bold & Bolder</b>", "W".repeat(40), "Ma Theresa Concepcion dela Cruz y Villanueva de los Santos"];
const people = (count) => Array.from({ length: count }, (_, at) => ({
  name: at < ODD.length ? ODD[at] : `${FIRST[at % FIRST.length]} ${LAST[Math.floor(at / FIRST.length) % LAST.length]}${at >= 1200 ? at : ""}`,
}));

const { browser, page, origin, post, seen, enterAll, opened } = await begin(program, ownerLink);

function run(tool, ...args) {
  return execFileSync(tool, args, { maxBuffer: 1 << 28 });
}
const bare = (text) => text.normalize("NFKC").replace(/[\s\u200b-\u200f\u2060-\u206f\u00ad]/g, "");
const backwards = (text) => [...text].reverse().join("");
const isTurned = (text) => /[\u0590-\u08ff]/.test(text);

/// What is wrong with a page as it will be printed: what stands beyond its place.
function beyond() {
  const wrong = [];
  const text = (node) => (node.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  for (const sheet of document.querySelectorAll(".sheet, .slips")) {
    const outer = sheet.getBoundingClientRect();
    const high = outer.height / (96 / 25.4);
    if (Math.abs(high - (sheet.classList.contains("turned") ? 210 : 279)) > 0.1) wrong.push(`a sheet is ${high} mm high`);
    for (const node of sheet.querySelectorAll("*")) {
      if (node.closest(".sr") || node.closest("svg path")) continue;
      const rect = node.getBoundingClientRect();
      if (rect.width && !inside(rect, outer)) wrong.push(`${node.tagName}.${node.className} leaves its sheet: ${text(node)}`);
      if (getComputedStyle(node).overflowY === "hidden" && !node.classList.contains("sr") && !(node instanceof SVGElement)) {
        if (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1) wrong.push(`${node.tagName}.${node.className} is cut off: ${text(node)}`);
      }
    }
    for (const cell of sheet.querySelectorAll("td, tbody th, thead th")) {
      if (cell.closest(".sr")) continue;
      const range = document.createRange();
      range.selectNodeContents(cell);
      const box = cell.getBoundingClientRect();
      for (const rect of range.getClientRects()) if (rect.width && !inside(rect, box)) { wrong.push(`beyond its cell: ${text(cell)}`); break; }
    }
    const foot = sheet.querySelector(".sheet-foot")?.getBoundingClientRect();
    for (const table of foot ? sheet.querySelectorAll("table") : []) {
      if (table.getBoundingClientRect().bottom > foot.top + 0.5) wrong.push(`a table runs into the foot: ${text(table)}`);
    }
    for (const slip of sheet.querySelectorAll(".slip")) {
      const parts = [...slip.children].map((part) => part.getBoundingClientRect());
      for (let at = 1; at < parts.length; at += 1) if (parts[at].top < parts[at - 1].bottom - 0.5) wrong.push(`parts of a slip overlap: ${text(slip)}`);
      const box = slip.getBoundingClientRect();
      if (parts.length && parts.at(-1).bottom > box.bottom - 8) wrong.push(`a slip is full: ${text(slip)}`);
    }
  }
  return [...new Set(wrong)].slice(0, 5);
}

/// What a stamp is printed over.
function covered() {
  const range = document.createRange();
  const meet = (one, other) => one.width > 0 && one.top < other.bottom - 1 && one.bottom > other.top + 1 && one.left < other.right && one.right > other.left;
  return [...document.querySelectorAll(".secret")].flatMap((stamp) => [...stamp.parentElement.childNodes].filter((node) => {
    range.selectNode(node);
    return node !== stamp && [...range.getClientRects()].some((rect) => meet(rect, stamp.getBoundingClientRect()));
  })).slice(0, 5).map((node) => `its stamp is printed over ${node.textContent}`);
}

/// The codes of a page of the PDF, read as a camera would, each where the page has one.
function codesOf(pdf, number, boxes, shift) {
  const DPI = 200;
  run("pdftoppm", "-gray", "-r", String(DPI), "-f", String(number), "-l", String(number), "-singlefile", pdf, `${folder}/shot`);
  const file = readFileSync(`${folder}/shot.pgm`);
  const head = file.subarray(0, 40).toString("latin1").match(/^P5\s+(\d+)\s+(\d+)\s+255\s/);
  const wide = Number(head[1]);
  const data = file.subarray(head[0].length);
  return boxes.map((box) => {
    const at = (px) => Math.round((px / MM / 25.4) * DPI);
    const [x, y, side] = [at(box.x + shift * MM), at(box.y), at(box.side)];
    const rgba = new Uint8ClampedArray(side * side * 4);
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const level = data[(y + row) * wide + x + column] ?? 255;
        rgba.set([level, level, level, 255], (row * side + column) * 4);
      }
    }
    return jsQR(rgba, side, side)?.data ?? null;
  });
}

async function print(count, id, what, expected) {
  for (const paper of PAPERS) {
    const name = `${count}-${what.replace(/[?=&]/g, "-")}-${paper.format}`;
    const begun = performance.now();
    const answer = await page.goto(`${origin}/t/${id}/print/${what}${what.includes("?") ? "&" : "?"}lang=${paper.lang}`);
    if (answer.status() !== 200) { findings.push(`${name}: ${answer.status()} ${(await page.textContent("main")).slice(0, 200)}`); continue; }
    const made = performance.now();
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 794, height: 1123 });
    for (const wrong of await page.evaluate(beyond)) findings.push(`${name}: ${wrong}`);
    const plan = await page.evaluate(() => ({
      sheets: document.querySelectorAll(".sheet, .slips").length,
      flows: document.querySelectorAll(".flow").length,
      language: document.documentElement.lang,
      tables: [...document.querySelectorAll(".slip .no")].map((one) => Number(one.textContent)),
      codes: [...document.querySelectorAll(".sheet, .slips")].map((sheet) => {
        const outer = sheet.getBoundingClientRect();
        return [...sheet.querySelectorAll(".qr")].map((code) => {
          const box = code.getBoundingClientRect();
          return { x: box.left - outer.left, y: box.top - outer.top, side: box.width, label: code.closest(".slip")?.querySelector(".no").textContent ?? code.closest(".public, .poster")?.querySelector(".address").textContent ?? [...code.parentElement.querySelectorAll(".digits .mono")].map((line) => line.textContent).join("\n") };
        });
      }),
    }));
    if (plan.language !== paper.lang) findings.push(`${name}: says that it is in ${plan.language}`);
    const pdf = `${folder}/${name}.pdf`;
    const before = performance.now();
    writeFileSync(pdf, await page.pdf({ format: paper.format, printBackground: false }));
    const printed = performance.now();
    await page.emulateMedia({ media: null });
    const info = run("pdfinfo", pdf).toString();
    const pages = Number(info.match(/Pages:\s+(\d+)/)[1]);
    if (plan.flows === 0 && pages !== plan.sheets) findings.push(`${name}: ${plan.sheets} sheets were planned, ${pages} came out`);
    if (expected.sheets !== undefined && pages !== expected.sheets) findings.push(`${name}: ${pages} sheets, ${expected.sheets} were expected`);
    say(`${name}`, { sheets: pages, page: Math.round(made - begun), pdf: Math.round(printed - before), bytes: readFileSync(pdf).length });

    const words = bare(run("pdftotext", "-raw", pdf, "-").toString());
    const turned = [...words].filter(isTurned).sort().join("");
    const isThere = (name) => words.includes(bare(name)) || (isTurned(name) && [...bare(name)].every((one) => turned.includes(one.normalize("NFKC"))));
    for (const name of expected.names ?? []) if (!isThere(name)) findings.push(`${name}: a name is not in the PDF of ${what}`);

    if (plan.tables.length) {
      // Where the numbers stand in the PDF itself: their letters are the largest.
      const boxes = run("pdftotext", "-bbox", pdf, "-").toString().split("<page ").slice(1);
      const per = Number(what.match(/per=(\d)/)?.[1] ?? 6);
      const places = Array.from({ length: per }, () => []);
      boxes.forEach((sheet, at) => {
        const [wide] = sheet.match(/width="([\d.]+)"/).slice(1).map(Number);
        for (const word of sheet.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(\d+)</g)) {
          const [left, top, , bottom] = word.slice(1, 5).map(Number);
          if (bottom - top < 30) continue;
          const row = Math.floor(top / (((279 / (per / 2)) / 25.4) * 72));
          places[row * 2 + (left > wide / 2 ? 1 : 0)][at] = Number(word[5]);
        }
      });
      const stack = places.flat().filter((table) => table !== undefined);
      const right = stack.every((table, at) => table === at + 1) && stack.length === expected.tables;
      if (!right) findings.push(`${name}: the cut stack lies ${stack.slice(0, 20)} …, ${stack.length} of ${expected.tables} slips`);
    }
    const shift = what.startsWith("cross") ? (paper.high - 279) / 2 : (paper.wide - 210) / 2;
    const looked = plan.codes.length <= 6 ? plan.codes.map((_, at) => at) : [0, plan.codes.length - 1];
    let read = 0;
    for (const at of looked) {
      codesOf(pdf, at + 1, plan.codes[at], shift).forEach((code, of) => {
        if (code === plan.codes[at][of].label) read += 1;
        else findings.push(`${name}: the code on sheet ${at + 1} says ${JSON.stringify(code)}, not ${JSON.stringify(plan.codes[at][of].label)}`);
      });
    }
    if (expected.codes && read === 0) findings.push(`${name}: no code was read`);
  }
}

for (const count of [23, 250, 1200]) {
  const id = await opened(`Open of ${count} at the Old Town Hall`, people(count));
  const names = people(count).map((one) => one.name);
  const tables = Math.floor(count / 2);
  if (count === 23) {
    // A draft says so on each sheet, where nothing else stands.
    for (const what of ["pairings-by-name", "slips", "slips?per=8"]) {
      await page.goto(`${origin}/t/${id}/print/${what}`);
      if ((await page.locator(".secret").count()) === 0) findings.push(`a draft of ${what} does not say so`);
      for (const wrong of [...await page.evaluate(beyond), ...await page.evaluate(covered)]) findings.push(`a draft of ${what}: ${wrong}`);
    }
    // What is said where there is no sheet yet stands within its margin.
    for (const what of ["bracket", "receipts"]) {
      await page.goto(`${origin}/t/${id}/print/${what}`);
      const margin = await page.locator("main > p").evaluate((one) => parseFloat(getComputedStyle(one).paddingLeft));
      if (margin < 11 * MM - 1) findings.push(`no ${what} is said at the edge of the paper`);
    }
  }
  await seen(id, "publish");
  const sheets = Math.ceil(tables / 6);
  await print(count, id, "pairings-by-name", { names, codes: true });
  await print(count, id, "pairings-by-table", { names, codes: true, sheets: Math.ceil((tables + (count % 2)) / 32) });
  await print(count, id, "slips", { names: names.slice(0, 0), codes: true, tables, sheets });
  await print(count, id, "deck-checks", {});
  await print(count, id, "seat-all", { names, codes: true });
  await print(count, id, "roster", { names });
  await print(count, id, "starting-ranks", { names, codes: true, sheets: Math.ceil(count / 32) });
  await print(count, id, "poster", { codes: true, sheets: 1 });
  if (count === 23) {
    await print(count, id, "slips?per=4", { codes: true, tables, sheets: Math.ceil(tables / 4) });
    await print(count, id, "slips?per=8", { codes: true, tables, sheets: Math.ceil(tables / 8) });
  }
  // A few results are enough for the largest: who wins changes nothing about the paper.
  const missing = count < 1000 ? 3 : tables - 40;
  await enterAll(id, 1, missing);
  await print(count, id, "missing", { sheets: Math.ceil(missing / 32) });
  if (count < 1000) await enterAll(id, 1);
  if (count < 1000) {
    await post(`/tournaments/${id}/orders`, { order: "dispute", table: "2", claim: "the third game was won in extra turns" });
    await print(count, id, "dispute?dispute=1", {});
    await post(`/tournaments/${id}/orders`, { order: "rule", dispute: 1, upheld: false, reason: "the judge at the table saw it" });
  }
  await print(count, id, "standings", { names, codes: true });
  await print(count, id, "cross-by-start", { names, codes: true });
  if (count === 23) {
    for (let round = 2; round <= 5; round += 1) {
      await post(`/tournaments/${id}/orders`, { order: "pair" });
      await seen(id, "publish");
      await enterAll(id, round);
    }
    await print(count, id, "standings", { names, codes: true });
    await print(count, id, "cross-by-rank", { names, codes: true });
    await seen(id, "cut");
    await post(`/tournaments/${id}/orders`, { order: "pair" });
    await seen(id, "publish");
    await print(count, id, "bracket", { codes: true, sheets: 1 });
    await print(count, id, "final", { names, codes: true });
  }
}
// In chess a color stands behind the number of a table.
const chess = await opened("Chess", people(50).slice(6), { rules: "fide-swiss-2026", phases: ["swiss:5"] });
await seen(chess, "publish");
await print(44, chess, "pairings-by-name", { codes: true, sheets: 1 });
say("findings", [...new Set(findings)]);
await browser.close();
if (!keep) rmSync(folder, { recursive: true });
