// The bundle that a page embeds (docs/FORMAT.md, "Packed bundle"). What follows from the bytes of its
// records is made again here; whether the bundle holds is looked at afterwards, in all its lines.

import { fromBase64, fromHex, joined, littleEndian, toBase64, toHex } from './bytes.js';
import { Unreadable } from './payload.js';
import { hashOf, mirror, readRecord } from './record.js';

const FORMAT = [1, 1, 1];
// Time, actor, command, part and parts, kind and schema; of a command's later part kind and schema.
const OWN = 40;
const OWN_OF_PART = 4;

/** The bundle of a page's text. A line of which nothing can be made stays as it is. */
export function unpacked(text) {
  const lines = text.split('\n');
  const stream = streamOf(lines[0]);
  if (stream === null) return text;
  let before = { seq: 0, hash: new Uint8Array(32), own: null };
  return lines.map((line) => {
    if (line === '' || line.startsWith('{')) return line;
    const record = recordOf(line, stream, before);
    if (record === null) return line;
    before = record;
    return record.line;
  }).join('\n');
}

function streamOf(header) {
  try {
    return fromHex(JSON.parse(header).stream, 16);
  } catch {
    return null;
  }
}

// The record of a line, behind the one before it; null where it is none.
function recordOf(line, stream, before) {
  const isPart = line.startsWith('.');
  const bytes = fromBase64(isPart ? line.slice(1) : line);
  if (bytes === null || (isPart && before.own === null)) return null;
  const head = bytes.subarray(0, isPart ? OWN_OF_PART : OWN);
  const payload = bytes.subarray(head.length);
  const own = isPart ? joined([nextPart(before.own), head]) : head;
  const seq = before.seq + 1;
  const whole = joined([
    FORMAT, stream, littleEndian(seq, 8), own, before.hash, littleEndian(payload.length, 4), payload,
  ]);
  try {
    const words = mirror(readRecord(whole));
    const hash = hashOf(whole);
    return { seq, hash, own, line: `{"record":"${toBase64(whole)}","hash":"${toHex(hash)}","mirror":${words}}` };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

// What a part has in common with the one before it, whose number is one less.
function nextPart(own) {
  const part = new DataView(own.buffer, own.byteOffset).getUint32(28, true);
  return joined([own.subarray(0, 28), littleEndian(part + 1, 4), own.subarray(32, 36)]);
}
