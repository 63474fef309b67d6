// BLAKE3 (https://github.com/BLAKE3-team/BLAKE3-specs): plain hash and derive_key, 32 bytes out.
// The tests compare it with the reference implementation over many lengths.

const IV = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;
const KEY_CONTEXT = 32;
const KEY_MATERIAL = 64;
const BLOCK = 64;
const CHUNK = 1024;

// Which word of the message each of the seven rounds takes where.
const SCHEDULE = [Array.from({ length: 16 }, (_, at) => at)];
while (SCHEDULE.length < 7) SCHEDULE.push(ORDER.map((at) => SCHEDULE.at(-1)[at]));

const state = new Int32Array(16);
const words = new Int32Array(16);

function mix(a, b, c, d, x, y) {
  state[a] = state[a] + state[b] + x;
  let turned = state[d] ^ state[a];
  state[d] = (turned >>> 16) | (turned << 16);
  state[c] += state[d];
  turned = state[b] ^ state[c];
  state[b] = (turned >>> 12) | (turned << 20);
  state[a] = state[a] + state[b] + y;
  turned = state[d] ^ state[a];
  state[d] = (turned >>> 8) | (turned << 24);
  state[c] += state[d];
  turned = state[b] ^ state[c];
  state[b] = (turned >>> 7) | (turned << 25);
}

// The first eight words of what `words` compress to.
function compress(chaining, counter, length, flags) {
  for (let at = 0; at < 8; at += 1) state[at] = chaining[at];
  for (let at = 0; at < 4; at += 1) state[8 + at] = IV[at];
  state[12] = counter % 0x100000000 | 0;
  state[13] = Math.floor(counter / 0x100000000);
  state[14] = length;
  state[15] = flags;
  for (const order of SCHEDULE) {
    mix(0, 4, 8, 12, words[order[0]], words[order[1]]);
    mix(1, 5, 9, 13, words[order[2]], words[order[3]]);
    mix(2, 6, 10, 14, words[order[4]], words[order[5]]);
    mix(3, 7, 11, 15, words[order[6]], words[order[7]]);
    mix(0, 5, 10, 15, words[order[8]], words[order[9]]);
    mix(1, 6, 11, 12, words[order[10]], words[order[11]]);
    mix(2, 7, 8, 13, words[order[12]], words[order[13]]);
    mix(3, 4, 9, 14, words[order[14]], words[order[15]]);
  }
  const out = new Int32Array(8);
  for (let at = 0; at < 8; at += 1) out[at] = state[at] ^ state[at + 8];
  return out;
}

function block(bytes, from, to) {
  words.fill(0);
  for (let at = from; at < to; at += 1) {
    words[(at - from) >> 2] |= bytes[at] << (8 * ((at - from) & 3));
  }
}

function chunk(bytes, from, to, key, number, flags) {
  let chaining = key;
  let at = from;
  do {
    const end = Math.min(at + BLOCK, to);
    const edge = (at === from ? CHUNK_START : 0) | (end === to ? CHUNK_END : 0);
    block(bytes, at, end);
    const last = end === to ? flags : flags & ~ROOT;
    chaining = compress(chaining, number, end - at, last | edge);
    at = end;
  } while (at < to);
  return chaining;
}

// The subtree over these bytes; its left part is the largest full one.
function tree(bytes, from, to, key, number, flags) {
  const length = to - from;
  if (length <= CHUNK) return chunk(bytes, from, to, key, number, flags);
  let left = CHUNK;
  while (left * 2 < length) left *= 2;
  const below = flags & ~ROOT;
  const first = tree(bytes, from, from + left, key, number, below);
  const second = tree(bytes, from + left, to, key, number + left / CHUNK, below);
  words.set(first, 0);
  words.set(second, 8);
  return compress(key, 0, BLOCK, flags | PARENT);
}

function toBytes(chaining) {
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  chaining.forEach((word, at) => view.setInt32(4 * at, word, true));
  return out;
}

/** The hash of bytes. */
export function blake3(bytes) {
  return toBytes(tree(bytes, 0, bytes.length, IV, 0, ROOT));
}

const contexts = new Map();

/** derive_key: the hash of bytes for one purpose. */
export function deriveKey(context, bytes) {
  let key = contexts.get(context);
  if (key === undefined) {
    const text = new TextEncoder().encode(context);
    key = tree(text, 0, text.length, IV, 0, KEY_CONTEXT | ROOT);
    contexts.set(context, key);
  }
  return toBytes(tree(bytes, 0, bytes.length, key, 0, KEY_MATERIAL | ROOT));
}
