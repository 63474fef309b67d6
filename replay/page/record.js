// A record: its envelope, its hash and its readable form (docs/FORMAT.md, "Record" and "Mirror").

import { deriveKey } from './hashes.js';
import { quoted, toHex } from './bytes.js';
import { readEvent } from './events.js';
import { Unreadable } from './payload.js';

const HEAD = 103;
const LARGEST_PAYLOAD = 61440;

/** Reads a record's bytes strictly. Throws `Unreadable`. */
export function readRecord(bytes) {
  if (bytes.length < HEAD) throw new Unreadable('it is too short for a record');
  if (bytes[0] !== 1 || bytes[1] !== 1 || bytes[2] !== 1) {
    throw new Unreadable('a newer program wrote it');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(99, true);
  if (length > LARGEST_PAYLOAD) throw new Unreadable('its payload is too large');
  if (bytes.length !== HEAD + length) throw new Unreadable('its length is not what it says');
  const header = {
    stream: toHex(bytes.subarray(3, 19)),
    seq: whole(view.getBigUint64(19, true)),
    time: view.getBigInt64(27, true),
    actor: view.getUint32(35, true),
    command: toHex(bytes.slice(39, 55).reverse()),
    part: view.getUint32(55, true),
    parts: view.getUint32(59, true),
    previous: toHex(bytes.subarray(67, 99)),
  };
  if (header.part < 1 || header.part > header.parts) {
    throw new Unreadable('its part is not one of its parts');
  }
  const read = readEvent(view.getUint16(63, true), view.getUint16(65, true), bytes.subarray(HEAD));
  return { ...header, ...read };
}

const whole = (number) => (number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number);

/** A record's hash. */
export function hashOf(bytes) {
  return deriveKey('scrutineer 2026 record v1', bytes);
}

const FIRST_YEAR = -62167219200000000n;
const LAST_YEAR = 253402300799999999n;

/** A time, or the nearest one that four digits of a year can name. */
export function withinYears(micros) {
  if (micros < FIRST_YEAR) return FIRST_YEAR;
  return micros > LAST_YEAR ? LAST_YEAR : micros;
}

/** A time to the microsecond, in UTC. */
export function timeInWords(micros) {
  if (micros < FIRST_YEAR || micros > LAST_YEAR) return String(micros);
  const rest = ((micros % 1000000n) + 1000000n) % 1000000n;
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(rest).padStart(6, '0')}Z`;
}

/** The readable form of a record. */
export function mirror(record) {
  return `{"seq":${record.seq},"time":"${timeInWords(record.time)}","actor":${record.actor},`
    + `"command":"${record.command}","part":${record.part},"parts":${record.parts},`
    + `"kind":${quoted(record.kind)},"event":${record.spelled}}`;
}
