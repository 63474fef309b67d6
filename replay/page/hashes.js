// BLAKE3, SHA-256 and SHA-512, of noble-hashes.

import { toUtf8 } from './bytes.js';
import { blake3 as hasher } from './vendor/noble-hashes/blake3.js';
import { sha256, sha512 } from './vendor/noble-hashes/sha2.js';

export { sha256, sha512 };

/** The BLAKE3 hash of bytes. */
export function blake3(bytes) {
  return hasher(bytes);
}

const contexts = new Map();

/** BLAKE3's derive_key: the hash of bytes for one purpose. */
export function deriveKey(context, bytes) {
  if (!contexts.has(context)) contexts.set(context, hasher.create({ context: toUtf8(context) }));
  return contexts.get(context).clone().update(bytes).digest();
}
