// Signed notes (C2SP signed-note) and the checkpoints in them.

import { fromBase64, fromHex, joined, toBase64, toUtf8 } from './bytes.js';
import { sha256, sha512 } from './hashes.js';
import { hashes, verify } from './vendor/noble-ed25519.js';

hashes.sha512 = sha512;

const ED25519 = 1;
const LONGEST = 16 * 1024;
const MOST_SIGNATURES = 16;

/** A note's text and signatures; null where it is none. */
export function readNote(note) {
  if (toUtf8(note).length > LONGEST || !note.endsWith('\n')) return null;
  if (/(?!\n)\p{Cc}/u.test(note)) return null;
  const split = note.lastIndexOf('\n\n');
  if (split < 0) return null;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) return null;
  const signatures = lines.map(readSignature);
  return signatures.includes(null) ? null : { text, signatures };
}

function readSignature(line) {
  const parts = line.split(' ');
  if (parts.length !== 3 || parts[0] !== '\u2014' || !isName(parts[1])) return null;
  const bytes = fromBase64(parts[2]);
  if (bytes === null || bytes.length < 5) return null;
  return { name: parts[1], id: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

const isName = (name) => name.length > 0 && !/[\p{White_Space}+]/u.test(name);

/** The id that a key has under a name. */
export function keyId(name, key) {
  return sha256(joined([toUtf8(`${name}\n`), [ED25519], key])).subarray(0, 4);
}

/** Whether this key signed the note under this name. */
export function isSignedBy(note, name, key) {
  const id = toBase64(keyId(name, key));
  const own = note.signatures.filter((one) => one.name === name && toBase64(one.id) === id);
  return own.length > 0 && own.every(({ signature }) => {
    try {
      return verify(signature, toUtf8(note.text), key, { zip215: false });
    } catch {
      return false;
    }
  });
}
