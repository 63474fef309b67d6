// Checks bundles and prints what is wrong with them, as JSON.
//
//   node replay/page/check.mjs <bundle> [--known <public key, root or file with a checkpoint>]
//   node replay/page/check.mjs --many      reads a stack of them from standard input
//
// A stack: for each bundle its length as u32, little-endian, and its bytes. One line of JSON comes
// out for each.

import { existsSync, readFileSync } from 'node:fs';
import { checkBundle } from './verifier.js';

function answer(bytes, known) {
  const { verdict, findings, unchecked, records, size, sentence } = checkBundle(bytes, known);
  // What stands behind the part that is known, anybody may have written.
  const all = verdict === 'consistent' || (verdict === 'verified' && size === records);
  const code = verdict === 'incomplete' ? 3 : Number(!all);
  return { code, line: JSON.stringify({ verdict, records, size, sentence, findings, unchecked }) };
}

function many(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at, true);
    console.log(answer(bytes.subarray(at + 4, at + 4 + length), '').line);
    at += 4 + length;
  }
}

const [file, option, known = ''] = process.argv.slice(2);
const isWrong = file === undefined || (option !== undefined && option !== '--known');
if (isWrong) {
  console.error('usage: node replay/page/check.mjs <bundle> [--known <public key, root or checkpoint>]');
  process.exitCode = 2;
} else if (file === '--many') {
  many(readFileSync(0));
} else {
  try {
    const given = existsSync(known) ? readFileSync(known, 'utf8') : known;
    const { code, line } = answer(readFileSync(file), given);
    console.log(line);
    process.exitCode = code;
  } catch (error) {
    console.error(`error: cannot read ${file}: ${error.message}`);
    process.exitCode = 2;
  }
}
