// The tree over a log's records, in the shape of RFC 6962 with BLAKE3.

import { blake3 } from './hashes.js';
import { joined, same } from './bytes.js';

const leaf = (hash) => blake3(joined([[0], hash]));
const node = (left, right) => blake3(joined([[1], left, right]));

/** The roots over the first 0, 1, 2 … of these hashes. */
export function rootsOver(hashes) {
  const roots = [blake3(new Uint8Array(0))];
  // Full subtrees from left to right, each smaller than the one before.
  const peaks = [];
  hashes.forEach((hash, at) => {
    peaks.push(leaf(hash));
    for (let size = at + 1; size % 2 === 0; size /= 2) {
      const right = peaks.pop();
      peaks.push(node(peaks.pop(), right));
    }
    roots.push(peaks.reduceRight((right, left) => node(left, right)));
  });
  return roots;
}

/** Whether a proof shows that the tree of the larger size begins with that of the smaller one. */
export function provesExtension(proof, small, smallRoot, large, largeRoot) {
  if (small > large || small < 1) return false;
  if (small === large) return proof.length === 0 && same(smallRoot, largeRoot);
  // RFC 9162, section 2.1.4.2.
  const path = Number.isInteger(Math.log2(small)) ? [smallRoot, ...proof] : [...proof];
  if (path.length === 0) return false;
  let [inSmall, inLarge] = [small - 1, large - 1];
  const half = () => {
    inSmall = Math.floor(inSmall / 2);
    inLarge = Math.floor(inLarge / 2);
  };
  while (inSmall % 2 === 1) half();
  let [first, second] = [path[0], path[0]];
  for (const hash of path.slice(1)) {
    if (inLarge === 0) return false;
    if (inSmall % 2 === 1 || inSmall === inLarge) {
      first = node(hash, first);
      second = node(hash, second);
      while (inSmall % 2 === 0 && inSmall !== 0) half();
    } else {
      second = node(second, hash);
    }
    half();
  }
  return inLarge === 0 && same(first, smallRoot) && same(second, largeRoot);
}
