// SPDX-License-Identifier: Apache-2.0

const kZ = 1.959963984540054; // 97.5 % quantile of the normal distribution

/// 95 % interval of Wilson for a share seen in n rows. Unlike the plain one it has a width at 0 and 1, and ends there.
/// `z`: another quantile of the normal distribution, for another confidence.
export function wilson(share, n, z = kZ) {
  const z2 = z * z;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  // Exact at the ends, where rounding would leave a trace such as 1e-18.
  return { low: share === 0 ? 0 : Math.max(0, centre - half), high: share === 1 ? 1 : Math.min(1, centre + half) };
}
