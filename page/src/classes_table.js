// SPDX-License-Identifier: Apache-2.0
//
// One line per class, sortable.

import { element } from './dom.js';
import { table } from './table.js';
import { count, percent, shown } from './words.js';
import { wilson } from './wilson.js';

function takenFor(confusion, index) {
  if (!confusion) return '–';
  const row = confusion.counts[index];
  let most = -1;
  row.forEach((c, j) => {
    if (j !== index && c > 0 && (most < 0 || c > row[most])) most = j;
  });
  return most < 0 ? '–' : `${shown(confusion.labels[most], 40)} (${count(row[most])})`;
}

export function classesTable(result) {
  const tested = result.kind === 'evaluate' ? result : result.held_out;
  if (!tested?.per_class?.length) return null;
  const rows = tested.per_class.map((c, index) => ({
    ...c,
    taken: takenFor(tested.confusion, index),
    range: c.rows > 0 && c.recall !== null ? wilson(c.recall, c.rows) : null,
  }));
  const share = (key) => ({ text: (c) => percent(c[key]), value: (c) => c[key], share: (c) => c[key] });
  return element(
    'figure',
    { id: 'classes', class: 'wide', 'aria-labelledby': 'classes-title' },
    element('h2', { id: 'classes-title' }, 'Class by class'),
    table({
      label: 'Measures of each class',
      sortable: true,
      rows,
      columns: [
        { title: 'Class', text: (c) => shown(c.label, 80) },
        { title: 'Rows', text: (c) => count(c.rows), value: (c) => c.rows },
        { title: 'Recognised', ...share('recall') },
        {
          title: '95 % interval',
          text: (c) => (c.range ? `${percent(c.range.low)} – ${percent(c.range.high)}` : '–'),
          value: (c) => c.range?.low,
        },
        { title: 'Right when given', ...share('precision') },
        { title: 'F1', text: (c) => (c.f1 == null ? '–' : c.f1.toFixed(3)), value: (c) => c.f1 },
        { title: 'Given', text: (c) => count(c.predicted), value: (c) => c.predicted },
        { title: 'Most often taken for', text: (c) => c.taken },
      ],
    }),
    element(
      'figcaption',
      {},
      '“Recognised” is the share of the rows of a class that are given that class (recall); “right when given” ' +
        'the share ' +
        'of the rows given a class that truly are of it (precision); F1 balances both. Few rows make a wide ' +
        'interval. Click a heading to sort.',
    ),
  );
}
