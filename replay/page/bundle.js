// A bundle, line by line (docs/FORMAT.md, "Bundle"). Nothing in it is taken on trust: what follows
// from the records is made again and compared.

import { blake3, deriveKey } from './hashes.js';
import {
  fromBase64, fromHex, fromUtf8, joined, littleEndian, spelled, toHex, toUtf8,
} from './bytes.js';
import { Checkpoints } from './checkpoint.js';
import { FIELDS } from './events.js';
import { Unreadable } from './payload.js';
import { hashOf, mirror, readRecord } from './record.js';
import { faultOf, hasKeys, standingsHash } from './table.js';

const MIB = 1024 * 1024;
const LONGEST_FILE = 4096 * MIB;
const MOST_RECORDS = 4194304;
const MOST_RULESETS = 256;
const MOST_SECRETS = 256;
const SEEDS = 4096;
const LONGEST_TEXT = 8192;
const LONGEST_NAME = 200;
const MOST_FINDINGS = 200;
const MOST_COMMAS = 4194304;

// How each line begins, in the order of the lines, and how long it may be.
const LINES = [
  ['header', '{"bundle":', 64 * MIB],
  ['record', '{"record":', MIB],
  ['table', '{"table":', 64 * MIB],
  ['checkpoint', '{"checkpoint":', MIB],
  ['entry', '{"entry":', MIB],
  ['secret', '{"secret":', MIB],
  ['end', '{"end":', MIB],
];
const FOREIGN = ['not-a-bundle', 'newer-bundle'];
const ZEROS = '0'.repeat(64);
// The versions that there are (docs/FORMAT.md, "Methods" and "Versions of the fold").
const METHODS = [
  'score-group-random', 'score-group-colors', 'ranked-adjacent', 'single-elimination',
  'single-elimination-reseeded', 'double-elimination', 'round-robin', 'pods', 'engine',
];
const FOLDS = [2];

/**
 * Reads and checks a bundle's bytes. Gives `findings` in the order of the lines, those about the
 * whole file last, `unchecked`, what a version wrote that nobody knows, and what was read: `header`, `records`, `hashes`, `tables`, `checkpoints`,
 * `entries`.
 */
export function readBundle(bytes) {
  const bundle = new Bundle(bytes);
  bundle.read();
  return bundle;
}

class Bundle {
  constructor(bytes) {
    this.bytes = bytes;
    this.findings = [];
    this.header = null;
    this.records = [];
    this.hashes = [];
    this.tables = [];
    this.entries = [];
    this.secrets = 0;
    this.checkpoints = new Checkpoints(this);
    this.line = 0;
    this.rank = -1;
    this.previous = ZEROS;
    this.command = null;
    this.commands = new Set();
    this.commitments = new Map();
    this.digests = new Map();
    this.entryNumber = -1;
    this.unchecked = [];
  }

  /** Notes what is wrong; what nobody can check stands in `unchecked`. */
  find(code, sentence, seq = null, line = this.line) {
    if (this.findings.length < MOST_FINDINGS) this.findings.push({ code, line, seq, sentence });
  }

  read() {
    const { bytes } = this;
    if (bytes.length > LONGEST_FILE) return this.find('file-too-large', 'the file is too long');
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(10, at);
      this.line += 1;
      if (end < 0) {
        this.find('cut-off', 'the last line has no end: the file is cut off');
        break;
      }
      if (this.line === 1 && bytes[end - 1] === 13) {
        return this.find('line-ends', 'its lines end in CR LF: a program changed it on the way');
      }
      this.readLine(bytes.subarray(at, end), at);
      // Of something else nothing more can be said.
      if (FOREIGN.includes(this.findings[0]?.code)) return;
      at = end + 1;
    }
    this.finish();
  }

  readLine(line, at) {
    const rank = LINES.findIndex(([, start]) => {
      return fromUtf8(line.subarray(0, start.length)) === start;
    });
    const [kind, , longest] = LINES[rank] ?? [];
    if (this.line === 1 && kind !== 'header') {
      return this.find('not-a-bundle', 'the file does not begin like a bundle');
    }
    if (line.length === 0) return this.find('line-spelling', `line ${this.line} is empty`);
    if (kind === undefined) return this.find('line-spelling', `line ${this.line} is of no known kind`);
    if (line.length + 1 > longest) return this.find('line-too-long', `line ${this.line} is too long`);
    const once = kind === 'header' || kind === 'end';
    if (this.rank === LINES.length - 1) {
      return this.find('after-end', `line ${this.line} stands behind the end`);
    }
    if (rank < this.rank || (once && rank === this.rank)) {
      return this.find('line-order', `line ${this.line} does not stand in its place`);
    }
    this.rank = rank;
    const text = fromUtf8(line);
    if (text === null) return this.misspelt();
    if (kind === 'record') return this.readRecordLine(text);
    if (kind === 'end') return this.readEnd(text, at);
    if (kind === 'header' && Number(/^\{"bundle":([1-9][0-9]*)[,}]/.exec(text)?.[1]) > 1) {
      return this.find('newer-bundle', 'a newer program wrote this bundle');
    }
    // Before anything is made of it: a value costs many times its bytes.
    if (kind === 'table' && hasMore(line, COMMA, MOST_COMMAS)) {
      return this.find('line-spelling', `the table in line ${this.line} has more than ${MOST_COMMAS} commas`);
    }
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return this.misspelt();
    }
    if (spelled(value) !== text) return this.misspelt();
    if (kind === 'header') return this.readHeader(value);
    if (kind === 'table') return this.readTable(value);
    if (kind === 'checkpoint') return this.checkpoints.read(value);
    if (kind === 'entry') return this.readEntry(value);
    return this.readSecret(value);
  }

  misspelt() {
    this.find('line-spelling', `line ${this.line} is not spelled as a bundle spells it`);
  }

  readHeader(value) {
    const keys = ['bundle', 'program', 'stream', 'records', 'head', 'rulesets', 'private'];
    const isHeader = hasKeys(value, keys) && value.bundle === 1
      && typeof value.program === 'string' && typeof value.private === 'boolean'
      && fromHex(value.stream, 16) !== null && fromHex(value.head, 32) !== null
      && Array.isArray(value.rulesets) && value.rulesets.every(isRuleset);
    if (!isHeader) return this.misspelt();
    if (!value.rulesets.every(isItself)) {
      this.find('header', 'a ruleset in the header is not the one whose hash stands beside it');
    }
    this.header = value;
  }

  readRecordLine(text) {
    const seq = this.hashes.length + 1;
    if (seq > MOST_RECORDS) return this.find('file-too-large', 'there are too many records', seq);
    const form = /^\{"record":"([^"\\]*)","hash":"([0-9a-f]{64})","mirror":(\{.*\})\}$/s;
    const [, base64, stated, shown] = form.exec(text) ?? [];
    const bytes = base64 === undefined ? null : fromBase64(base64);
    if (bytes === null) {
      this.hashes.push(fromHex(stated ?? ZEROS, 32));
      this.previous = stated ?? ZEROS;
      this.command = null;
      return this.find('line-spelling', `the line of record ${seq} is not spelled as a bundle spells it`, seq);
    }
    const own = hashOf(bytes);
    const before = this.previous;
    this.hashes.push(own);
    this.previous = toHex(own);
    let record;
    try {
      record = readRecord(bytes);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.command = null;
      return this.find('unreadable', `record ${seq} cannot be read: ${error.message}`, seq);
    }
    const wrong = (code, sentence) => this.find(code, `record ${seq} ${sentence}`, seq);
    if (stated !== this.previous) wrong('hash', 'does not have the hash that stands beside it');
    if (record.seq !== seq) wrong('chain', `stands in its place with the number ${record.seq}`);
    if (record.previous !== before) wrong('chain', 'does not name the hash of the record before it');
    if (record.stream !== (this.records[0]?.stream ?? record.stream)) wrong('chain', 'belongs to another tournament');
    if (shown !== mirror(record)) wrong('mirror', 'holds something else than the words beside it');
    if (!this.continues(record)) wrong('chain', 'does not continue its command');
    if (record.part === 1 && this.commands.has(record.command)) wrong('command-twice', 'belongs to a command that was there before');
    this.commands.add(record.command);
    this.records.push({ ...record, place: seq, line: this.line });
    this.checkpoints.follow(seq, record);
    const unknown = unknownVersion(record);
    if (unknown !== null) this.unchecked.push({ ...unknown, line: this.line, seq });
    for (const one of record.commitments) {
      this.commitments.set(`${one.number} ${one.field} ${one.digest}`, seq);
      if (!this.digests.has(one.number)) this.digests.set(one.number, one.digest);
      if (this.digests.get(one.number) !== one.digest) {
        wrong('commitment-twice', `commits to entry ${one.number}, which an earlier record has with other words`);
      }
    }
  }

  // The parts of a command stand together, from 1 to their number.
  continues({ part, parts, command }) {
    const open = this.command;
    this.command = part < parts ? { part, parts, command } : null;
    if (open === null) return part === 1;
    return part === open.part + 1 && parts === open.parts && command === open.command;
  }

  readTable(value) {
    const { table } = value;
    const fault = hasKeys(value, ['table']) ? faultOf(table) : 'its keys are not those of a table';
    if (fault !== null) return this.find('line-spelling', `the table in line ${this.line} is none: ${fault}`);
    const seq = table.announced;
    const before = this.tables.at(-1)?.announced ?? 0;
    if (seq <= before) return this.find('line-order', `the table of record ${seq} does not stand in its place`, seq);
    const record = this.record(seq);
    if (record?.kind !== 'StandingsAnnounced') {
      return this.find('table-altered', `record ${seq} announces no standings, but a table is kept for it`, seq);
    }
    if (record.event.table !== standingsHash(table)) {
      return this.find('table-altered', `the table beside record ${seq} is not the one that was announced`, seq);
    }
    this.tables.push(table);
  }

  /** The record with this number; nothing where it could not be read. */
  record(seq) {
    const guess = this.records[seq - 1];
    return guess?.place === seq ? guess : this.records.find((one) => one.place === seq);
  }

  readEntry({ entry, ...rest }) {
    const isEntry = hasKeys(rest, []) && hasKeys(entry, ['number', 'field', 'salt', 'text'])
      && Number.isInteger(entry.number) && entry.number >= 0 && entry.number <= 0xffffffff
      && FIELDS[entry.field] !== undefined && Object.hasOwn(FIELDS, entry.field)
      && fromHex(entry.salt, 32) !== null && typeof entry.text === 'string'
      && toUtf8(entry.text).length <= LONGEST_TEXT;
    if (!isEntry) return this.misspelt();
    const { number, field } = entry;
    if (number <= this.entryNumber) {
      return this.find('line-order', `entry ${number} does not stand in its place`);
    }
    this.entryNumber = number;
    if (!isSayable(field, entry.text)) {
      this.find('entry-not-legal', `nobody can have entered the text of entry ${number}`);
    }
    const seq = this.commitments.get(`${number} ${field} ${this.digest(entry)}`);
    if (seq === undefined) {
      return this.find('entry-altered', `entry ${number} is not what a record committed to`);
    }
    this.entries.push(entry);
  }

  digest({ number, field, salt, text }) {
    const bytes = toUtf8(text);
    const stream = fromHex(this.records[0]?.stream ?? '', 16) ?? [];
    return toHex(deriveKey('scrutineer 2026 private entry v1', joined([
      stream, littleEndian(number, 4), [FIELDS[field]], fromHex(salt, 32),
      littleEndian(bytes.length, 4), bytes,
    ])));
  }

  readSecret(value) {
    if (!hasKeys(value, ['secret']) || fromHex(value.secret, 32) === null) return this.misspelt();
    if (this.header?.private !== true) {
      return this.find('not-private', 'a bundle that is not private gives away a secret');
    }
    this.secrets += 1;
    if (this.secrets > MOST_SECRETS) return this.find('file-too-large', 'there are too many secrets');
    const first = toHex(seedBefore(fromHex(value.secret, 32)));
    const committed = this.records.some(({ event }) => event.seed_commitment === first);
    if (!committed) this.find('secret-altered', 'the records commit to no such secret');
  }

  readEnd(text, at) {
    const whole = spelled({ end: this.line - 1, blake3: toHex(blake3(this.bytes.subarray(0, at))) });
    if (text !== whole) this.find('end', 'the lines before are not those that the last line stands for');
  }

  finish() {
    if (this.rank !== LINES.length - 1) this.find('cut-off', 'the last line is missing: the file is cut off');
    const records = this.hashes.length;
    if (records === 0) this.find('no-records', 'there is no record in it');
    // Last: where a record is wrong, the header differs because of it.
    if (this.header !== null) this.compareHeader();
    if (this.command !== null) {
      this.find('command-cut-off', 'the records end within a command', records, records + 1);
    }
  }

  // Everything in the header but the program's name follows from the records.
  compareHeader() {
    const wrong = (what) => this.find('header', `the header's ${what} not what the records say`, null, 1);
    const { header } = this;
    if (header.records !== this.hashes.length) wrong('number of records is');
    if (header.head !== this.previous) wrong('head is');
    if (this.records.length > 0 && header.stream !== this.records[0].stream) wrong('event is');
    const rulesets = rulesetsOf(this.records);
    if (rulesets.length > MOST_RULESETS) wrong('rulesets are too many and');
    if (spelled(header.rulesets) !== spelled(rulesets)) wrong('rulesets are');
  }
}

const COMMA = 44;

// Whether a byte stands there more often than so many times.
function hasMore(bytes, byte, most) {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0 && count <= most; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count > most;
}

/** Of which nothing is seen, beside spaces: what only joins, parts or turns other characters. */
export const UNSEEN = '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e'
  + '\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\u{1bca0}-\\u{1bca3}'
  + '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const NOTHING = new RegExp(`^[\\p{White_Space}${UNSEEN}]*$`, 'u');

// Names are one line of some length; whatever else people write may be several lines.
function isSayable(field, text) {
  const isName = ['Title', 'Name', 'PublisherId', 'Staff'].includes(field);
  if (!isName) return !/(?![\n\t])\p{Cc}/u.test(text);
  return !/\p{Cc}/u.test(text) && !NOTHING.test(text) && [...text].length <= LONGEST_NAME;
}

// Seed 0 of the chain that a secret ends.
function seedBefore(secret) {
  let seed = secret;
  for (let at = SEEDS; at > 0; at -= 1) {
    seed = deriveKey('scrutineer 2026 seed v1', joined([littleEndian(at, 4), seed]));
  }
  return seed;
}

// The rulesets that the records bring into force, each once.
function rulesetsOf(records) {
  const found = new Map();
  for (const { event } of records) {
    const files = event.ruleset;
    if (!Array.isArray(files) || files.length === 0) continue;
    const hash = rulesetHash(files);
    if (!found.has(hash)) found.set(hash, { id: files[0].name, hash, files });
  }
  return [...found.values()];
}

// A ruleset as the header lists it.
function isRuleset(listed) {
  if (!hasKeys(listed, ['id', 'hash', 'files']) || !Array.isArray(listed.files)) return false;
  if (![listed.id, listed.hash].every((text) => typeof text === 'string')) return false;
  return listed.files.every((file) => {
    return hasKeys(file, ['name', 'text']) && [file.name, file.text].every((text) => typeof text === 'string');
  });
}

// Its id and its hash follow from its files.
function isItself({ id, hash, files }) {
  return files.length > 0 && id === files[0].name && hash === rulesetHash(files);
}

/** The hash of a ruleset and what it extends. */
export function rulesetHash(files) {
  const sized = (text) => {
    const bytes = toUtf8(text);
    return [littleEndian(bytes.length, 8), bytes];
  };
  const parts = files.flatMap((file) => [...sized(file.name), ...sized(file.text)]);
  return toHex(deriveKey('scrutineer 2026 ruleset v1', joined(parts)));
}

// What a record says by a version that is none of those that there are.
function unknownVersion({ seq, kind, event }) {
  if (kind === 'StandingsAnnounced' && !FOLDS.includes(event.fold_version)) {
    const sentence = `the standings of record ${seq} were made by version ${event.fold_version} of the fold, which nobody knows here: they may say anything`;
    return { code: 'unknown-fold', sentence };
  }
  const drawn = kind === 'RoundOpened' ? event.drawn : null;
  const newest = drawn?.method === 'engine' ? 2 : 1;
  const isKnown = () => METHODS.includes(drawn.method) && drawn.version >= 1 && drawn.version <= newest;
  if (drawn !== null && !isKnown()) {
    const sentence = `round ${event.round} was paired by ${drawn.method} ${drawn.version}, which nobody knows here: its tables may be any`;
    return { code: 'unknown-method', sentence };
  }
  return null;
}
