// The verifier: what is wrong with a bundle, and what the checked part says.

import { readBundle } from './bundle.js';
import { compareKnown } from './known.js';

/**
 * Checks a bundle's bytes; `known` is what a reader holds himself: a public key, a root or a
 * checkpoint, as he typed it.
 *
 * Gives `verdict`: `not consistent` with `findings`; `consistent` where nothing is wrong in
 * itself; `verified` where what he holds fits, with `size`, the number of records that it covers;
 * `differs` where it does not fit; `incomplete` with `unchecked` where a version that nobody knows
 * wrote something: what could not be checked is not verified.
 */
export function checkBundle(bytes, known = '') {
  const bundle = readBundle(bytes);
  const { findings, unchecked } = bundle;
  const result = { verdict: 'consistent', findings, unchecked, records: bundle.hashes.length, bundle };
  if (findings.length > 0) return { ...result, verdict: 'not consistent' };
  const compared = known.trim() === '' ? result : { ...result, ...compareKnown(bundle, known.trim()) };
  const isIncomplete = unchecked.length > 0 && compared.verdict !== 'differs';
  return isIncomplete ? { ...compared, verdict: 'incomplete' } : compared;
}
