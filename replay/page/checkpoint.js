// Checkpoints: how many records a log has and the root over them, signed (docs/FORMAT.md,
// "Checkpoint").

import { fromBase64, fromHex, same, toHex, toUtf8 } from './bytes.js';
import { isSignedBy, keyId, readNote } from './note.js';
import { timeInWords, withinYears } from './record.js';
import { hasKeys } from './table.js';
import { provesExtension, rootsOver } from './tree.js';

const MOST_CHECKPOINTS = 65536;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_OF_AN_ID = 4;
const MOST_HASHES = 64;
const ORIGIN = 'scrutineer/blake3/';
const FORM = new RegExp(`^${ORIGIN}([0-9a-f]{32})\\n(0|[1-9][0-9]{0,15})\\n([A-Za-z0-9+/]{43}=)\\n`
  + 'time ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z)\\nhead ([0-9a-f]{64})\\n$');

/** The name under which the keys of an event sign. */
export const originOf = (stream) => `${ORIGIN}${stream}`;

// A clock shows it: month 13 has the form of one, and 30 February is read as 2 March.
const isTime = (words) => {
  const seconds = words.slice(0, 19);
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
};

/** A checkpoint from its signed note; null where it is none. */
export function readCheckpoint(text) {
  const note = readNote(text);
  const [, stream, size, base64, time, head] = FORM.exec(note?.text ?? '') ?? [];
  const root = base64 === undefined ? null : fromBase64(base64);
  if (root === null || !isTime(time)) return null;
  return { note, stream, size: Number(size), root, time, head };
}

/** The checkpoints of a bundle, checked one after another against its records. */
export class Checkpoints {
  constructor(bundle) {
    this.bundle = bundle;
    this.list = [];
    this.before = null;
    this.count = 0;
    this.bytes = 0;
    this.known = null;
    this.byId = new Map();
    // By number of records: the latest time so far, and the key that signs.
    this.latest = [null];
    this.signers = [null];
    this.restored = [];
    this.retired = [];
  }

  /** Takes note of a record. */
  follow(seq, { time, kind, event }) {
    // Where records could not be read, those before them speak for them.
    while (this.latest.length < seq) {
      this.latest.push(this.latest.at(-1));
      this.signers.push(this.signers.at(-1));
    }
    const before = this.latest.at(-1);
    this.latest.push(before === null || time > before ? time : before);
    if (kind === 'LogRestored') this.restored.push(event);
    if (kind === 'KeyRetired') this.retired.push(event);
    const named = kind === 'TournamentOpened' || kind === 'SignerChanged' ? event.signer : null;
    const key = named === null ? null : fromHex(named, 32);
    this.signers.push(key ?? this.signers.at(-1));
    if (key !== null) this.name(key);
  }

  // So that of an event with many keys only those are tried that a signature claims.
  name(key) {
    const id = toHex(keyId(this.origin(), key));
    const known = this.byId.get(id) ?? [];
    if (known.length < MOST_OF_AN_ID && !known.some((one) => same(one, key))) known.push(key);
    this.byId.set(id, known);
  }

  origin() {
    return originOf(this.bundle.records[0]?.stream ?? '');
  }

  /** The keys of the event that a checkpoint's signatures claim to be made with. */
  claimed({ note }) {
    const own = note.signatures.filter(({ name }) => name === this.origin());
    return [...new Set(own.map(({ id }) => toHex(id)))].flatMap((id) => this.byId.get(id) ?? []);
  }

  /** Whether a checkpoint names the last record and the time that the records have there. */
  isExact({ size, head, time }) {
    const { bundle } = this;
    const last = bundle.record(size);
    return last !== undefined && last.part === last.parts
      && head === toHex(bundle.hashes[size - 1]) && time === this.timeAt(size);
  }

  timeAt(size) {
    return timeInWords(withinYears(this.latest[size] ?? this.latest.at(-1) ?? 0n));
  }

  /** The roots over the first 0, 1, 2 … records. */
  roots() {
    const { hashes } = this.bundle;
    if (this.known?.length !== hashes.length + 1) this.known = rootsOver(hashes);
    return this.known;
  }

  read(value) {
    const { bundle } = this;
    const wrong = (code, sentence) => bundle.find(code, `the checkpoint in line ${bundle.line} ${sentence}`);
    const isLine = hasKeys(value, ['checkpoint', 'extends']) && typeof value.checkpoint === 'string'
      && Array.isArray(value.extends) && value.extends.length <= MOST_HASHES
      && value.extends.every((hash) => fromHex(hash, 32) !== null);
    if (!isLine) return bundle.misspelt();
    this.count += 1;
    this.bytes += toUtf8(value.checkpoint).length + 1;
    if (this.count > MOST_CHECKPOINTS || this.bytes > MOST_BYTES) return wrong('file-too-large', 'is one too many');
    const found = readCheckpoint(value.checkpoint);
    if (found === null) return wrong('checkpoint-damaged', 'cannot be read');
    if (found.stream !== bundle.records[0]?.stream) return wrong('checkpoint-other-tournament', 'is of another tournament');
    const root = toHex(found.root);
    const stands = found.size >= 1 && found.size <= bundle.hashes.length
      && root === toHex(this.roots()[found.size]);
    const lost = !stands && this.restored.some(({ known_size: size, known_root: known }) => {
      return found.size < size || (found.size === size && root === known);
    });
    if (stands) this.compareWithRecords(found, wrong);
    else if (!lost && found.size > bundle.hashes.length) wrong('log-shorter', `covers ${found.size} records, and here are ${bundle.hashes.length}`);
    else if (!lost) wrong('log-forked', `is not one of the first ${found.size} records here`);
    this.compareWithBefore(found, stands, value.extends.map((hash) => fromHex(hash, 32)), wrong);
    const key = this.signerOf(found, stands);
    if (key === null) {
      const origin = this.origin();
      const other = this.claimed(found).some((one) => isSignedBy(found.note, origin, one));
      if (other) wrong('checkpoint-other-key', 'is signed by another key than the one that signs there');
      else wrong('checkpoint-not-signed', 'is signed by no key of this tournament');
    }
    this.before = stands ? found : null;
    if (stands) this.list.push({ size: found.size, root, key, note: found.note });
  }

  compareWithRecords({ size, head, time }, wrong) {
    const { bundle } = this;
    const last = bundle.record(size);
    if (head !== toHex(bundle.hashes[size - 1])) wrong('checkpoint-head', 'names another last record');
    if (last !== undefined && last.part !== last.parts) wrong('checkpoint-size', 'ends within a command');
    if (time !== this.timeAt(size)) wrong('checkpoint-time', 'names another time');
    if (size <= (this.list.at(-1)?.size ?? 0)) {
      wrong('checkpoint-order', 'stands behind one over as many records or more');
    }
  }

  // Who signed it: the key that signs there, or where those records were lost any key of the event.
  signerOf(found, stands) {
    const there = this.signers[found.size] ?? this.signers.at(-1);
    const keys = stands ? [there] : [there, ...this.claimed(found)];
    const origin = originOf(found.stream);
    return keys.find((key) => key !== null && isSignedBy(found.note, origin, key)) ?? null;
  }

  // There is a proof where this one and the one before are of these records.
  compareWithBefore(found, stands, proof, wrong) {
    const { before } = this;
    const isDue = before !== null && stands && before.size < found.size;
    const holds = isDue
      ? provesExtension(proof, before.size, before.root, found.size, found.root)
      : proof.length === 0;
    if (!holds) wrong('checkpoint-proof', 'is not shown to extend the one before it');
  }

  /** Whether a key was retired before so many records. */
  isRetired(key, size) {
    return this.retired.some((event) => event.key === toHex(key) && size > event.last_size);
  }
}
