// SPDX-License-Identifier: Apache-2.0
//
// Which differences between machines are more than chance, and what their p values are corrected for.

import { count } from './words.js';

export const kLevel = 0.05;

/// Does a pair of machines differ by more than chance explains? By the p value corrected for the number of pairs
/// (Holm) where there is one. Parts that differ among themselves by more than the test expects show nothing: it refuses
/// every difference then, none as well.
export function clear(pair) {
  const p = pair.holm_p ?? pair.p;
  const inconsistent = pair.low === null && pair.statistic > 0;
  return p != null && p < kLevel && !inconsistent;
}

/// Of what the p values of a comparison are corrected for; nothing where a pair stands alone.
export function correction(pairs, sets) {
  if (pairs.length < 2 || pairs.every((pair) => pair.holm_p == null)) return '';
  const tables = sets > 1 ? ` of all ${sets} tables together` : '';
  return `, corrected by Holm for all ${count(pairs.length)} pairs${tables}`;
}
