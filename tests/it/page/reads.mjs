// Reads lines from standard input and says what the verifier's parts make of them, line by line:
//
//   event <kind> <schema> <payload>   its readable form, or `!` where it is refused
//   hash <bytes>                      BLAKE3, derive_key under `a test`, SHA-256, SHA-512
//   unpack <text>                     the bundle of a page's text
//
// Bytes are hexadecimal digits.

import { readFileSync } from 'node:fs';
import { fromUtf8, toHex, toUtf8 } from '../../../replay/page/bytes.js';
import { readEvent } from '../../../replay/page/events.js';
import { blake3, deriveKey, sha256, sha512 } from '../../../replay/page/hashes.js';
import { unpacked } from '../../../replay/page/packed.js';
import { Unreadable } from '../../../replay/page/payload.js';

const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex ?? '', 'hex'));

function event(kind, schema, payload) {
  try {
    return readEvent(Number(kind), Number(schema), bytesOf(payload)).spelled;
  } catch (error) {
    if (error instanceof Unreadable) return '!';
    throw error;
  }
}

const said = readFileSync(0, 'utf8').split('\n').slice(0, -1).map((line) => {
  const [what, ...rest] = line.split(' ');
  if (what === 'event') return event(...rest);
  const bytes = bytesOf(rest[0]);
  if (what === 'unpack') return toHex(toUtf8(unpacked(fromUtf8(bytes))));
  return [blake3(bytes), deriveKey('a test', bytes), sha256(bytes), sha512(bytes)].map(toHex).join(' ');
});
process.stdout.write(said.map((line) => `${line}\n`).join(''));
