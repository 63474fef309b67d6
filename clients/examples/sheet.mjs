// Keeps the standings in a CSV file that a program for streams reads, such as a text source of OBS.
//
//     node clients/examples/sheet.mjs http://127.0.0.1:7780 Friday standings.csv
//
// It asks every five seconds, and the server answers in full only when something changed. With --once it
// writes the file and ends.
import { rename, writeFile } from 'node:fs/promises';
import { Client } from '../javascript/scrutineer.mjs';

const [url, tournament, file, once] = process.argv.slice(2);
const client = new Client(url);
const cell = (value) => {
  // A spreadsheet would take it for a formula.
  const text = /^[=+\-@\t\r\n]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

let etag;
for (;;) {
  const answer = await client.getStandings(tournament, { ifNoneMatch: etag });
  if (answer !== null) {
    etag = client.etag;
    const measures = Object.keys(answer.rows[0]?.measures ?? {});
    const row = ({ rank, player, record, measures: found }) => [
      rank, player.name, `${record.wins}-${record.losses}-${record.draws}`,
      ...measures.map((id) => found[id]?.text ?? ''),
    ];
    const lines = [['place', 'player', 'record', ...measures], ...answer.rows.map(row)];
    await writeFile(`${file}.part`, lines.map((line) => `${line.map(cell).join(',')}\n`).join(''));
    await rename(`${file}.part`, file);
  }
  if (once === '--once') break;
  await new Promise((done) => { setTimeout(done, 5000); });
}
