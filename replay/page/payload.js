// Payloads: bincode 2 `standard()`, read strictly (docs/FORMAT.md, "Payload", "Structs", "Codes").
//
// A type is a pair: `read` takes a value from a reader, `spell` gives its readable form. Every
// value has one spelling in bytes, so what reads without a fault is what writing it again gives.

import { fromUtf8, quoted, toHex } from './bytes.js';

/** Why bytes cannot be read. */
export class Unreadable extends Error {}

/** Takes bytes one after another, and never beyond the end. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(length) {
    if (length > this.bytes.length - this.at) throw new Unreadable('its payload ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  // A number of at most so many bytes in its shortest form.
  number(most) {
    const first = this.byte();
    if (first <= 250) return first;
    const size = { 251: 2, 252: 4, 253: 8 }[first];
    if (size === undefined || size > most) throw new Unreadable('a number is too large');
    const view = this.take(size);
    let value = 0n;
    for (let at = size - 1; at >= 0; at -= 1) value = (value << 8n) | BigInt(view[at]);
    const least = { 2: 251n, 4: 0x10000n, 8: 0x100000000n }[size];
    if (value < least) throw new Unreadable('a number is not spelled in its shortest form');
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  }

  // How many elements follow; each takes at least one byte.
  length() {
    const length = this.number(8);
    if (length > this.bytes.length - this.at) throw new Unreadable('its payload ends too early');
    return length;
  }
}

const plain = (value) => String(value);
const number = (most) => ({ read: (reader) => reader.number(most), spell: plain });

export const u8 = { read: (reader) => reader.byte(), spell: plain };
export const u16 = number(2);
export const u32 = number(4);
export const u64 = number(8);

export const i32 = {
  read: (reader) => {
    const zigzag = reader.number(4);
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  },
  spell: plain,
};

export const bool = {
  read: (reader) => {
    const byte = reader.byte();
    if (byte > 1) throw new Unreadable('a yes or no is neither');
    return byte === 1;
  },
  spell: plain,
};

export const string = {
  read: (reader) => {
    const text = fromUtf8(reader.take(reader.length()));
    if (text === null) throw new Unreadable('a text is not UTF-8');
    return text;
  },
  spell: quoted,
};

export const hash = {
  read: (reader) => toHex(reader.take(32)),
  spell: quoted,
};

export const blob = {
  read: (reader) => toHex(reader.take(reader.length())),
  spell: quoted,
};

export const option = (inner) => ({
  read: (reader) => (bool.read(reader) ? inner.read(reader) : null),
  spell: (value) => (value === null ? 'null' : inner.spell(value)),
});

export const list = (inner) => ({
  read: (reader) => {
    const length = reader.length();
    const values = [];
    for (let at = 0; at < length; at += 1) values.push(inner.read(reader));
    return values;
  },
  spell: (values) => `[${values.map(inner.spell).join(',')}]`,
});

export const tuple = (...inner) => ({
  read: (reader) => inner.map((one) => one.read(reader)),
  spell: (values) => `[${inner.map((one, at) => one.spell(values[at])).join(',')}]`,
});

/** Named fields in their order. */
export const struct = (fields) => {
  const list = Object.entries(fields);
  return {
    read: (reader) => {
      const value = {};
      for (const [name, inner] of list) value[name] = inner.read(reader);
      return value;
    },
    spell: (value) => {
      const parts = list.map(([name, inner]) => `"${name}":${inner.spell(value[name])}`);
      return `{${parts.join(',')}}`;
    },
  };
};

/** One byte that stands for a word. */
export const code = (words) => ({
  read: (reader) => {
    const byte = reader.byte();
    if (words[byte] === undefined) throw new Unreadable(`a code ${byte} is not known`);
    return words[byte];
  },
  spell: quoted,
});

export const ruling = {
  read: (reader) => {
    const byte = reader.byte();
    const word = { 1: 'win', 2: 'loss', 3: 'draw', 4: 'no result' }[byte];
    if (word !== undefined) return word;
    if (byte < 11 || byte > 210) throw new Unreadable(`a ruling ${byte} is not known`);
    return `place ${byte - 10}`;
  },
  spell: quoted,
};
