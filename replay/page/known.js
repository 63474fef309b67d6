// What a reader holds himself, compared with a checked bundle.

import { fromBase64, fromHex, same, toHex } from './bytes.js';
import { originOf, readCheckpoint } from './checkpoint.js';
import { isSignedBy } from './note.js';

// A checkpoint as a sheet shows it: `118 records 3f2a 9c01 …`, the number and 32 digits of the root.
const SHEET = /^(?:checkpoint\s+)?([1-9][0-9]{0,15})\s+(?:records?\s+)?((?:[0-9a-f]\s*){32})$/i;
const plain = (text) => text.replace(/\s/gu, '').toLowerCase();

/**
 * A public key or a root, in hexadecimal digits or base64, a number of records and 32 digits, or a
 * whole checkpoint. Gives `verdict` `verified`, `differs`, or `unread` where it is not
 * enough to say either, `size` and a sentence.
 */
export function compareKnown(bundle, typed) {
  if (typed.startsWith('scrutineer/')) return compareCheckpoint(bundle, typed.replaceAll('\r', ''));
  const [, size, digits] = SHEET.exec(typed) ?? [];
  if (digits !== undefined) return compareSheet(bundle, Number(size), plain(digits));
  const all = plain(typed);
  if (/^[0-9a-f]{20}$/.test(all)) {
    return compareFingerprint(bundle, all);
  }
  const bytes = fromHex(all, 32) ?? base64Of32(typed.replace(/\s/gu, ''));
  if (bytes === null) {
    return unread('That is no public key, root or checkpoint: 64 hexadecimal digits, 44 characters of base64, the number of records and 32 digits from the foot of a sheet, or a note of several lines.');
  }
  return compareBytes(bundle, bytes);
}

// Nobody is alarmed by a right key that is not whole: what its digits say is said, and that it is not enough.
function compareFingerprint(bundle, digits) {
  const isIt = ({ key }) => key !== null && toHex(key).startsWith(digits);
  if (bundle.checkpoints.list.some(isIt)) {
    return unread('Those are the first 20 digits of a key that signed these records: right as far as they go, and too few to verify with. Enter all 64.');
  }
  return differs('Those are the first 20 digits of a key, and no key that signed these records begins with them.');
}

function compareSheet(bundle, size, digits) {
  const root = bundle.checkpoints.roots()[size];
  if (root === undefined) return differs(`That checkpoint covers ${size} records; here are only ${bundle.hashes.length}.`);
  if (!toHex(root).startsWith(digits)) return differs(`The first ${size} records here are not those of that checkpoint.`);
  return verified(size, 'The digits that you entered are those of these records');
}

function compareBytes(bundle, bytes) {
  const size = bundle.checkpoints.roots().findLastIndex((root) => same(root, bytes));
  if (size > 0) {
    return verified(size, 'The root that you entered is that of these records');
  }
  // A change of the key is signed by the old one too.
  const own = (one) => isSignedBy(one.note, originOf(bundle.header.stream), bytes);
  const holds = (one) => own(one) && !bundle.checkpoints.isRetired(bytes, one.size);
  const signed = bundle.checkpoints.list.findLast(holds);
  if (signed !== undefined) {
    return verified(signed.size, 'The key that you entered signed a checkpoint over these records');
  }
  if (bundle.checkpoints.list.some(own)) {
    return differs('That key was retired before it signed the checkpoints here.');
  }
  return differs('It is neither the root of these records at any size nor the key that signed a checkpoint of them.');
}

function base64Of32(typed) {
  const bytes = fromBase64(typed);
  return bytes?.length === 32 ? bytes : null;
}

function compareCheckpoint(bundle, typed) {
  const checkpoint = readCheckpoint(`${typed.trimEnd()}\n`);
  if (checkpoint === null) return unread('That is no checkpoint: it cannot be read. Was it copied in full, with its last line?');
  const { checkpoints } = bundle;
  const roots = checkpoints.roots();
  if (checkpoint.stream !== bundle.header.stream) return differs('That checkpoint is of another tournament.');
  const claimed = checkpoints.claimed(checkpoint);
  if (claimed.length === 0) return differs('That checkpoint is signed by no key that these records name.');
  const origin = originOf(checkpoint.stream);
  const signers = claimed.filter((key) => isSignedBy(checkpoint.note, origin, key));
  if (signers.length === 0) {
    return differs('The signature of that checkpoint does not belong to its text: it was changed, or not copied in full.');
  }
  if (checkpoint.size >= roots.length) {
    return differs(`That checkpoint covers ${checkpoint.size} records; here are only ${roots.length - 1}.`);
  }
  if (!same(checkpoint.root, roots[checkpoint.size])) {
    return differs(`The first ${checkpoint.size} records here are not those of that checkpoint.`);
  }
  if (!checkpoints.isExact(checkpoint)) {
    return differs('That checkpoint is over these records, but names another time, another last record or no whole command.');
  }
  // One key that was never retired is enough.
  if (signers.every((key) => checkpoints.isRetired(key, checkpoint.size))) {
    return verified(checkpoint.size, 'The checkpoint that you entered is one of these records, though its key was retired before');
  }
  return verified(checkpoint.size, 'The checkpoint that you entered is one of these records');
}

const unread = (sentence) => ({ verdict: 'unread', sentence, size: 0 });
const differs = (sentence) => ({ verdict: 'differs', sentence, size: 0 });
const verified = (size, sentence) => ({ verdict: 'verified', sentence: `${sentence}.`, size });
