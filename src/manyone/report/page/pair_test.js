// SPDX-License-Identifier: Apache-2.0

export const kLevel = 0.05;

/// Does a pair of machines differ by more than chance explains? By the p value corrected for the number of pairs
/// (Holm) where there is one. Parts that differ among themselves by more than the test expects show nothing: it refuses
/// every difference then, none as well.
export function clear(pair) {
  const p = pair.holm_p ?? pair.p;
  const inconsistent = pair.low === null && pair.statistic > 0;
  return p != null && p < kLevel && !inconsistent;
}
