// Uses the client as a program would, and prints what it saw as JSON.
import { Client, Refused } from '../../../clients/javascript/scrutineer.mjs';

const [url, token, owner] = process.argv.slice(2);
const client = new Client(url, { token });
const seen = { title: (await client.listTournaments()).tournaments[0].tournament.title };
seen.players = (await client.getTournament('Friday')).players;
seen.unchanged = await client.getTournament('Friday', { ifNoneMatch: client.etag });
const order = { order: 'note', text: 'from node' };
seen.first = (await client.giveOrders('Friday', order, { idempotencyKey: 'node', ifMatch: null })).first_seq;
seen.again = (await client.giveOrders('Friday', order, { idempotencyKey: 'node' })).first_seq;
try {
  await client.giveOrders('Friday', { order: 'result', slip: '1 2-0' });
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  seen.refused = error.code;
}
const orders = [{ order: 'note', text: 'one of two' }, { order: 'drop', player: 'Nobody' }];
seen.lines = (await client.giveOrders('Friday', orders)).map(({ line, status }) => [line, status]);
seen.checked = (await client.checkRuleset('name = "x"')).error.message;
seen.bundle = new TextDecoder().decode((await client.getBundle('Friday')).slice(0, 20));
const book = await new Client(url, { token: owner }).exportFile('Friday', 'workbook', null, { names: null });
seen.workbook = book.length;
for await (const told of client.watch('Friday', { lastEventId: '1' })) {
  seen.watched = told.event;
  break;
}
console.log(JSON.stringify(seen));
process.exit(0);
