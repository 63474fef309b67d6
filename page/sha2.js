// SHA-256 and SHA-512 (FIPS 180-4), for signatures only: short and slow.

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

// The first `bits` bits behind the point of a prime's root: square (2) or cube (3).
function fraction(prime, power, bits) {
  const wanted = BigInt(prime) << BigInt(bits * power);
  let [low, high] = [0n, 1n << BigInt(bits + 8)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= wanted) low = middle;
    else high = middle;
  }
  return low & ((1n << BigInt(bits)) - 1n);
}

// By how much words are turned; the third number of `early` and `late` is a shift.
const SHAPES = {
  256: { bits: 32, rounds: 64, early: [7n, 18n, 3n], late: [17n, 19n, 10n], e: [6n, 11n, 25n], a: [2n, 13n, 22n] },
  512: { bits: 64, rounds: 80, early: [1n, 8n, 7n], late: [19n, 61n, 6n], e: [14n, 18n, 41n], a: [28n, 34n, 39n] },
};

function hasher({ bits, rounds, early, late, e: ofE, a: ofA }) {
  const width = BigInt(bits);
  const mask = (1n << width) - 1n;
  const bytes = bits / 8;
  const constants = primes(rounds).map((prime) => fraction(prime, 3, bits));
  const start = primes(8).map((prime) => fraction(prime, 2, bits));
  const turn = (x, by) => ((x >> by) | (x << (width - by))) & mask;
  const spread = (x, [one, two, shift]) => turn(x, one) ^ turn(x, two) ^ (x >> shift);
  const turned = (x, [one, two, three]) => turn(x, one) ^ turn(x, two) ^ turn(x, three);

  return (message) => {
    const block = 16 * bytes;
    const padded = new Uint8Array(Math.ceil((message.length + 2 * bytes + 1) / block) * block);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
    const word = (at) => {
      return bits === 64 ? view.getBigUint64(at) : BigInt(view.getUint32(at));
    };
    const hash = [...start];
    for (let from = 0; from < padded.length; from += block) {
      const w = Array.from({ length: 16 }, (_, at) => word(from + bytes * at));
      for (let at = 16; at < rounds; at += 1) {
        const mixed = spread(w[at - 15], early) + spread(w[at - 2], late);
        w.push((w[at - 16] + w[at - 7] + mixed) & mask);
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let at = 0; at < rounds; at += 1) {
        const first = h + turned(e, ofE) + ((e & f) ^ (~e & mask & g)) + constants[at] + w[at];
        const second = turned(a, ofA) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & mask, c, b, a, (first + second) & mask];
      }
      [a, b, c, d, e, f, g, h].forEach((value, at) => {
        hash[at] = (hash[at] + value) & mask;
      });
    }
    const out = [];
    for (const value of hash) {
      for (let at = bytes - 1; at >= 0; at -= 1) out.push(Number((value >> BigInt(8 * at)) & 255n));
    }
    return Uint8Array.from(out);
  };
}

/** The SHA-256 of bytes. */
export const sha256 = hasher(SHAPES[256]);

/** The SHA-512 of bytes. */
export const sha512 = hasher(SHAPES[512]);
