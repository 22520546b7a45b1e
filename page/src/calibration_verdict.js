// SPDX-License-Identifier: Apache-2.0
//
// Can the probabilities be taken at their word? Judged along the whole curve, not by its mean: a model that says 5 %
// where it is right on 25 % and 95 % where it is right on 75 % is right on average.

import { count, percent, plural } from './words.js';
import { wilson } from './wilson.js';

const kClose = 0.02; // a gap under this is nothing a user would notice
const kLoose = 0.05; // a calibration error above this is not called good, even if the rows are too few to be sure
const kFewest = 10; // rows of a bin that a statement can stand on
const kZ = 2.807; // of 99.5 %: ten bins are looked at, and one in twenty such pages may err

const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);

/// Log loss of stating the share of each class for every row: what probabilities must beat.
export function priorLoss(counts) {
  const sizes = counts.map((row) => sum(row, (c) => c));
  const rows = sum(sizes, (size) => size);
  return sum(sizes, (size) => (size > 0 ? (-size / rows) * Math.log(size / rows) : 0));
}

const gapOf = (bin) => bin.confidence - bin.accuracy;

/// Bins whose stated probability chance does not explain.
const isOff = (bin) => {
  const range = wilson(bin.accuracy, bin.rows, kZ);
  const outside = bin.confidence < range.low || bin.confidence > range.high;
  return bin.rows >= kFewest && Math.abs(gapOf(bin)) >= kClose && outside;
};

/// {good, text} of bins with rows; `logLoss` and `counts` (of the confusion matrix) may be absent.
export function calibrationVerdict({ bins, logLoss, counts }) {
  const rows = sum(bins, (bin) => bin.rows);
  const mean = (of) => sum(bins, (bin) => bin.rows * of(bin)) / rows;
  const prior = counts ? priorLoss(counts) : null;
  if (logLoss != null && prior != null && prior > 0 && logLoss >= prior) {
    return {
      good: false,
      text:
        `The probabilities are worse than none: always stating how frequent each class is has a log loss of ` +
        `${prior.toFixed(2)}, these have ${logLoss.toFixed(2)}.`,
    };
  }
  const off = bins.filter(isOff).sort((a, b) => b.rows * Math.abs(gapOf(b)) - a.rows * Math.abs(gapOf(a)));
  if (off.length > 0) {
    const sure = off.every((bin) => gapOf(bin) > 0);
    const modest = off.every((bin) => gapOf(bin) < 0);
    const who = sure
      ? 'The model is too sure of itself'
      : modest
        ? 'The model is too modest'
        : 'The probabilities cannot be taken at their word';
    const [worst] = off;
    const others = off.length - 1;
    return {
      good: false,
      text:
        `${who}: where it states ${percent(worst.confidence)}, it is right on ${percent(worst.accuracy)} of ` +
        `${plural(worst.rows, 'row')}` +
        (others > 0 ? `, and ${others === 1 ? 'another range is' : `${count(others)} other ranges are`} off too.` : '.'),
    };
  }
  const distance = mean((bin) => Math.abs(gapOf(bin)));
  if (distance > kLoose) {
    return {
      good: false,
      text:
        `${plural(rows, 'row')} are too few to say whether the probabilities can be taken at their word: they are ` +
        `${percent(distance)} away from the share that is right, which may be chance.`,
    };
  }
  return {
    good: true,
    text:
      `The probabilities can be taken at their word, as far as ${plural(rows, 'row')} can tell: on average it says ` +
      `${percent(mean((bin) => bin.confidence))} and is right on ${percent(mean((bin) => bin.accuracy))}, and no ` +
      `part of the curve${bins.some((bin) => bin.rows < kFewest) ? ` with ${kFewest} rows or more` : ''} is off by more ` +
      'than chance.',
  };
}
