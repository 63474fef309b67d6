// Bytes, hexadecimal digits, base64 and UTF-8, strictly.

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal digits. */
export function toHex(bytes) {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** The bytes of so many pairs of lower-case hexadecimal digits; null for anything else. */
export function fromHex(text, length) {
  if (typeof text !== 'string' || text.length !== 2 * length) return null;
  if (!/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from({ length }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Standard base64 with padding. */
export function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    text += ALPHABET[a >> 2] + ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)];
    text += b === undefined ? '=' : ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)];
    text += c === undefined ? '=' : ALPHABET[c & 63];
  }
  return text;
}

/** The bytes of standard base64 with padding in its one spelling; null for anything else. */
export function fromBase64(text) {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0) return null;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let bits = 0;
  let held = 0;
  let to = 0;
  for (let at = 0; at < digits; at += 1) {
    const value = VALUES.get(text[at]);
    if (value === undefined) return null;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[to] = (held >> bits) & 255;
      to += 1;
    }
  }
  // Bits that stand for nothing are zero in the one spelling.
  return (held & ((1 << bits) - 1)) === 0 ? bytes : null;
}

/** Whether two lists of bytes are the same. */
export function same(a, b) {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Several lists of bytes as one. */
export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number in so many bytes, little-endian. */
export function littleEndian(number, length) {
  let rest = BigInt(number);
  return Uint8Array.from({ length }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 as text; null where it is none. */
export function fromUtf8(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

const encoder = new TextEncoder();

/** Text as UTF-8. */
export function toUtf8(text) {
  return encoder.encode(text);
}

const SHORT = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };

/** A string in the spelling of the mirror. */
export function quoted(text) {
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (letter) => {
    return SHORT[letter] ?? `\\u00${DIGITS[letter.charCodeAt(0)]}`;
  });
  return `"${escaped}"`;
}

/** A JSON value in the spelling of the mirror; keys in the order that they have. */
export function spelled(value) {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(spelled).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.entries(value).map(([key, one]) => `${quoted(key)}:${spelled(one)}`);
    return `{${parts.join(',')}}`;
  }
  // Whole numbers only: nothing in a bundle has a fraction.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'not a whole number';
  return Object.is(value, -0) ? '0' : String(value);
}
