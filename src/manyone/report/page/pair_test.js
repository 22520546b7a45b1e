// SPDX-License-Identifier: Apache-2.0

export const kLevel = 0.05;

/// Does a pair of machines differ by more than chance explains? By the p value corrected for the number of pairs
/// (Holm) where there is one.
export function clear(pair) {
  const p = pair.holm_p ?? pair.p;
  return p != null && p < kLevel;
}
