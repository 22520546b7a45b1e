// SPDX-License-Identifier: Apache-2.0
//
// What a domain expert wants to know first: how often it is wrong, how sure that is, and what it mixes up.

import { element, strong } from './dom.js';
import { add, drawing } from './drawing.js';
import { estimate, mistakes } from './estimate.js';
import { count, list, percent, plural, quoted, times } from './words.js';

function opening(result, found) {
  if (found.source === 'evaluate') {
    return found.wrong === 0
      ? ['On these ', strong(plural(found.rows, 'row')), ' the model makes ', strong('no mistake'), '.']
      : [
          'On these ',
          count(found.rows),
          ' rows the model is wrong on ',
          strong(percent(found.share)),
          ` (${count(found.wrong)} of ${count(found.rows)}).`,
        ];
  }
  const who =
    result.cv?.kind === 'subset'
      ? `a model of ${plural(result.cv.rows, 'row')}`
      : result.kind === 'tune'
        ? 'a model with the best settings found'
        : 'this model';
  return found.wrong === 0
    ? [`On rows it has not seen, ${who} made `, strong('no mistake'), ` in ${plural(found.rows, 'row')}.`]
    : [
        `On rows it has not seen, ${who} is wrong on about `,
        strong(percent(found.share)),
        ` (${count(found.wrong)} of ${count(found.rows)}).`,
      ];
}

function certainty({ interval, rows }) {
  return element(
    'p',
    {},
    strong('How sure is that? '),
    `${plural(rows, 'row')} can tell this only roughly. For many more rows like these, expect between ` +
      `${percent(interval.low)} and ` +
      `${percent(interval.high)} wrong (95 % Wilson interval).`,
  );
}

function confused(tested) {
  const all = mistakes(tested.confusion);
  if (all.length === 0) return null;
  const first = all.slice(0, 3).map((m) => `${quoted(m.label, 40)} taken for ${quoted(m.given, 40)} ${times(m.rows)}`);
  return element('p', {}, strong('Most confused: '), `${list(first)}.`);
}

function weakest(tested) {
  const classes = (tested.per_class ?? []).filter((c) => c.rows > 0 && c.recall !== null && c.recall < 1);
  if (classes.length === 0) return null;
  const worst = classes.reduce((a, b) => (b.recall < a.recall ? b : a));
  return element(
    'p',
    {},
    strong('Weakest class: '),
    `${quoted(worst.label, 40)}, recognised in ${count(Math.round(worst.recall * worst.rows))} of its ` +
      `${plural(worst.rows, 'row')}.`,
  );
}

/// The error of always giving the most frequent class: what any model has to beat. Of the whole table, where the rows
/// tested are a part of it or their classes were not counted.
function compared(result, tested) {
  const { labels, counts } = tested?.confusion ?? { labels: [], counts: [] };
  const sizes = tested?.per_class?.map((c) => c.rows) ?? counts.map((row) => row.reduce((sum, c) => sum + c, 0));
  const rows = labels.length > 0 ? (tested.n ?? sizes.reduce((sum, c) => sum + c, 0)) : 0;
  const largest = sizes.indexOf(Math.max(...sizes));
  const whole = result.kind === 'evaluate' || result.cv?.majority_error == null || (rows > 0 && rows === result.n);
  if (whole && !(rows > 0)) return null;
  const error = whole ? 1 - sizes[largest] / rows : result.cv.majority_error;
  const alike = whole && sizes.every((size) => size === sizes[largest]);
  const guess = alike
    ? 'always giving the same answer'
    : whole
      ? `always answering ${quoted(labels[largest], 40)}, the most frequent class${tested.unknown ? ' it knows' : ''},`
      : 'always answering the most frequent class of the table';
  return element(
    'p',
    {},
    strong('For comparison: '),
    `${guess} would be wrong on ${percent(error)}` +
      (tested?.balanced_error == null || Math.abs(tested.balanced_error - tested.error) < 0.0005
        ? '.'
        : `. With every class counted alike, the model is wrong on ${percent(tested.balanced_error)}.`),
  );
}

/// How the rows were kept unseen, in words; nothing where it is not told.
function splitting(folds) {
  if (folds == null) return '';
  return folds === 'loo' ? ' (each row was left out once)' : ` (the rows were left out in turn, in ${folds} parts)`;
}

function caveat(result, found) {
  if (found.source === 'evaluate') {
    const unknown = result.unknown
      ? `${plural(result.unknown, 'row')} of classes that the model does not know ` +
        `${result.unknown === 1 ? 'counts' : 'count'} as wrong and ${result.unknown === 1 ? 'is' : 'are'} not in the figures below. `
      : '';
    return `${unknown}This says how the model does on new rows only if these rows were not used to fit it.`;
  }
  if (found.source === 'nested') {
    const tested = result.held_out;
    const below = tested?.n
      ? ` The figures below are of the one search on all rows, whose best setting is wrong on ` +
        `${count(Math.round(tested.error * tested.n))} of ${count(tested.n)} rows (${percent(tested.error)}, a little ` +
        'optimistic): they do not add up to the number above.'
      : result.cv
        ? ` The best setting alone reads ${percent(result.cv.error)}.`
        : '';
    return (
      'The whole search was repeated for each part of the rows that was left out (nested): an honest figure.' + below
    );
  }
  const cells = [result.surface, ...[...(result.rounds ?? []), ...(result.checks ?? [])].map((round) => round.surface)];
  const tried = cells.reduce((sum, surface) => sum + (surface?.length ?? 0), 0);
  const optimistic =
    tried > 1
      ? ` It was chosen among ${count(tried)} settings tried, so it is a little optimistic; --nested gives the honest figure.`
      : '';
  if (result.cv?.kind === 'held-out') {
    const nested = result.nested?.rows
      ? ` A nested search on ${plural(result.nested.rows, 'row')} alone is wrong on ${percent(result.nested.error)}: so many rows teach less.`
      : '';
    return `Measured on ${plural(result.cv.rows, 'row')}, judged by models trained on ${count(result.cv.train_rows)} others at the settings chosen.${nested}`;
  }
  if (result.cv?.kind === 'subset') {
    return `Measured with ${plural(result.cv.rows, 'row')} only: what the model of all ${count(result.n)} rows does is not known.`;
  }
  return `Measured by cross-validation${splitting(result.cv?.folds)}.${optimistic}`;
}

/// Squares, one for each of 100 (or 1,000) new rows: wrong ones filled, those that may be wrong as well pale.
function squares({ share, interval }) {
  const total = share > 0 && share < 0.01 ? 1000 : 100;
  const columns = total === 100 ? 10 : 40;
  const size = total === 100 ? 18 : 6;
  const wrong = Math.round(share * total);
  const perhaps = Math.max(wrong, Math.ceil(interval.high * total));
  const pitch = size + (total === 100 ? 3 : 1.5);
  const svg = drawing(
    columns * pitch,
    (total / columns) * pitch,
    `Of ${count(total)} new rows about ${wrong} would be wrong, perhaps up to ${perhaps}.`,
  ).attr('class', 'squares');
  for (let i = 0; i < total; i += 1) {
    add(svg, 'rect', {
      x: (i % columns) * pitch,
      y: Math.floor(i / columns) * pitch,
      width: size,
      height: size,
      rx: size / 6,
      class: i < wrong ? 'wrong' : i < perhaps ? 'perhaps' : 'right',
    });
  }
  const words = perhaps > wrong ? `about ${wrong} wrong, perhaps up to ${perhaps}` : `about ${wrong} wrong`;
  return element(
    'div',
    { class: 'picture' },
    svg.node(),
    element('p', { class: 'note' }, `Of ${count(total)} new rows: ${words}`),
  );
}

export function headline(result) {
  const found = estimate(result);
  if (!found) {
    return element(
      'section',
      { class: 'headline', id: 'headline' },
      element(
        'p',
        { class: 'verdict' },
        'The settings of this model were given, not searched, and its error was not measured.',
      ),
      element('p', {}, 'Test it on rows it has not seen with “manyone evaluate MODEL DATA”.'),
    );
  }
  const tested = result.kind === 'evaluate' ? result : result.held_out;
  const note = caveat(result, found);
  return element(
    'section',
    { class: 'headline', id: 'headline' },
    element(
      'div',
      { class: 'words' },
      element('p', { class: 'verdict' }, ...opening(result, found)),
      certainty(found),
      tested?.confusion && confused(tested),
      tested && weakest(tested),
      compared(result, tested),
      result.interrupted &&
        element('p', {}, strong('The search was interrupted'), ': this is the best found until then.'),
      note && element('p', { class: 'note' }, note),
    ),
    squares(found),
  );
}
