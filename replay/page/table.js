// Announced tables: their shape and the hash of standings (docs/FORMAT.md, "Announced table" and
// "Hash of standings").

import { deriveKey } from './hashes.js';
import { joined, littleEndian, toHex } from './bytes.js';

const WORDS = ['phase', 'lots', 'tied', 'lots pending'];
const isArray = Array.isArray;
const isText = (value) => typeof value === 'string';
const isNumber = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
const U16 = 0xffff;
const U32 = 0xffffffff;

/** Whether these are exactly the keys of an object, in this order. */
export function hasKeys(value, keys) {
  if (value === null || typeof value !== 'object' || isArray(value)) return false;
  const own = Object.keys(value);
  return own.length === keys.length && own.every((key, at) => key === keys[at]);
}

/** What is wrong with a table's shape; null where nothing is. */
export function faultOf(table) {
  if (!hasKeys(table, ['announced', 'phases', 'rows'])) return 'its keys are not those of a table';
  if (!isNumber(table.announced, Number.MAX_SAFE_INTEGER)) return 'it does not say where it was announced';
  if (!isArray(table.phases) || !isArray(table.rows)) return 'its phases or rows are missing';
  const steps = new Map();
  let above = Infinity;
  for (const phase of table.phases) {
    if (!hasKeys(phase, ['phase', 'steps']) || !isNumber(phase.phase, U16)) return 'a phase of it is none';
    if (phase.phase >= above) return 'its phases are not in order';
    if (!isArray(phase.steps) || !phase.steps.every(isStep)) return 'a step of it is none';
    above = phase.phase;
    steps.set(phase.phase, phase.steps);
  }
  let before = null;
  for (const row of table.rows) {
    const fault = rowFault(row, before, steps);
    if (fault !== null) return fault;
    before = row;
  }
  return null;
}

const isStep = (step) => {
  return isArray(step) && step.length === 2 && (step[0] === null || isText(step[0])) && isText(step[1]);
};

function rowFault(row, before, phases) {
  if (!isArray(row) || row.length !== 5) return 'a row of it is none';
  const [rank, player, phase, values, decided] = row;
  if (!isNumber(rank, U32) || !isNumber(player, U32) || !phases.has(phase)) return 'a row of it is none';
  const steps = phases.get(phase);
  if (!isArray(values) || values.length !== steps.length) return 'a row of it lacks values';
  const fits = (value, at) => (steps[at][0] === null ? value === null : fraction(value) !== null);
  if (!values.every(fits)) return 'a value of it is no reduced fraction';
  if (before === null) return decided === null ? null : 'its first row is told from nobody';
  if (rank < before[0] || (rank === before[0] && player <= before[1])) return 'its rows are not in order';
  const known = isNumber(decided, steps.length - 1) || WORDS.includes(decided);
  return known ? null : 'what decided a place of it is not known';
}

/** Numerator and denominator of a reduced fraction as it is spelled; null for anything else. */
export function fraction(text) {
  const parts = isText(text) ? /^(0|-?[1-9][0-9]*)(?:\/([1-9][0-9]*))?$/.exec(text) : null;
  if (parts === null) return null;
  const [num, den] = [BigInt(parts[1]), BigInt(parts[2] ?? 1)];
  if (parts[2] === undefined) return [num, 1n];
  return den > 1n && divisor(num < 0n ? -num : num, den) === 1n ? [num, den] : null;
}

function divisor(a, b) {
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}

// Length, and the shortest big-endian two's complement.
function whole(number) {
  const bytes = [];
  let rest = number;
  do {
    bytes.unshift(Number(rest & 255n));
    rest >>= 8n;
  } while (!(rest === 0n && bytes[0] < 128) && !(rest === -1n && bytes[0] >= 128));
  return joined([littleEndian(bytes.length, 4), bytes]);
}

/** The hash of the standings in a table without a fault. */
export function standingsHash(table) {
  const parts = [littleEndian(table.rows.length, 4)];
  for (const [rank, player, phase, values] of table.rows) {
    parts.push(littleEndian(rank, 4), littleEndian(player, 4), littleEndian(phase, 2));
    for (const value of values.filter((one) => one !== null)) {
      parts.push(...fraction(value).map(whole));
    }
  }
  return toHex(deriveKey('scrutineer 2026 standings v2', joined(parts)));
}
