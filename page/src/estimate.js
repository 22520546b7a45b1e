// SPDX-License-Identifier: Apache-2.0
//
// The share of wrong rows that the page leads with, and what it stands on.

import { wilson } from './wilson.js';

/// {share, rows, wrong, interval, source} or null. A nested search is the honest estimate and goes first; then the rows
/// that were held out (or tested), then the smallest error of the search.
export function estimate(result) {
  const tested = result.kind === 'evaluate' ? result : result.held_out;
  const rows = result.cv?.rows ?? tested?.n ?? result.n;
  return (
    made(nestedOfModel(result)?.error, result.n ?? rows, 'nested') ??
    made(tested?.error, tested?.n, result.kind === 'evaluate' ? 'evaluate' : 'held_out') ??
    made(result.cv?.error, rows, 'cv')
  );
}

/// The nested estimate, unless it is that of models of a part of the rows of a large table.
export function nestedOfModel(result) {
  return result.nested?.rows == null ? result.nested : null;
}

function made(share, rows, source) {
  if (share == null || !rows) return null;
  return { share, rows, wrong: Math.round(share * rows), interval: wilson(share, rows), source };
}

/// Pairs of classes that were taken for each other, most often first: [{from, to, rows, of}], positions in `labels`.
export function mistakes({ labels, counts }) {
  const out = [];
  counts.forEach((row, from) => {
    const of = row.reduce((sum, c) => sum + c, 0);
    row.forEach(
      (rows, to) => from !== to && rows > 0 && out.push({ from, to, rows, of, label: labels[from], given: labels[to] }),
    );
  });
  return out.sort((a, b) => b.rows - a.rows || b.rows / b.of - a.rows / a.of);
}
