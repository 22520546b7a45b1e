// SPDX-License-Identifier: Apache-2.0
//
// An order of the classes in which those that are confused are neighbours: chains of classes are joined, the pair of
// chains with the largest mean similarity first, each turned so that the ends that meet are the most similar.

/// Positions in the new order. Similarity: the share of either class that is taken for the other. L³ at worst.
export function similarOrder(counts) {
  const rows = counts.map((row) =>
    Math.max(
      1,
      row.reduce((sum, c) => sum + c, 0),
    ),
  );
  const likeness = (i, j) => counts[i][j] / rows[i] + counts[j][i] / rows[j];
  let chains = counts.map((_, i) => [i]);
  const mean = counts.map((_, i) => counts.map((__, j) => likeness(i, j)));

  while (chains.length > 1) {
    let [a, b, most] = [0, 1, 0];
    for (let i = 0; i < chains.length; i += 1) {
      for (let j = i + 1; j < chains.length; j += 1) if (mean[i][j] > most) [a, b, most] = [i, j, mean[i][j]];
    }
    if (most === 0) break; // the rest was never confused: it stays as given
    const [p, q] = [chains[a].length, chains[b].length];
    chains[a] = joined(chains[a], chains[b], likeness);
    for (let k = 0; k < chains.length; k += 1) {
      mean[a][k] = (p * mean[a][k] + q * mean[b][k]) / (p + q);
      mean[k][a] = mean[a][k];
    }
    chains = chains.filter((_, i) => i !== b);
    mean.splice(b, 1);
    for (const row of mean) row.splice(b, 1);
  }
  return chains.flat();
}

function joined(left, right, likeness) {
  const back = (chain) => [...chain].reverse();
  const ways = [
    [left, right],
    [left, back(right)],
    [back(left), right],
    [back(left), back(right)],
  ];
  const meet = ([l, r]) => likeness(l[l.length - 1], r[0]);
  return ways.reduce((best, way) => (meet(way) > meet(best) ? way : best)).flat();
}
