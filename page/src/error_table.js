// SPDX-License-Identifier: Apache-2.0
//
// Errors of each machine on each set.

import { min } from 'd3-array';
import { element } from './dom.js';
import { table } from './table.js';
import { count, percent, shown } from './words.js';

function errorCell(machine, best) {
  if (!machine) return '–';
  const sd = machine.std == null ? null : element('span', { class: 'sd' }, ` ± ${percent(machine.std)}`);
  return element('span', { class: machine.error === best ? 'best' : null }, percent(machine.error), sd);
}

export function errorTable(result) {
  const sets = result.sets ?? [];
  if (sets.length === 0) return null;
  const names = [...new Set(sets.flatMap((set) => set.machines.map((m) => m.name)))];
  const of = (set, name) => set.machines.find((m) => m.name === name);
  const balanced = sets.flatMap((set) =>
    set.machines.filter((m) => m.balanced_error != null).map((m) => ({ set: set.name, ...m })),
  );
  const repeated = sets.some((set) => set.machines.some((m) => m.std != null));
  return element(
    'figure',
    { id: 'errors', class: 'wide', 'aria-labelledby': 'errors-title' },
    element('h2', { id: 'errors-title' }, 'Share of wrong rows'),
    table({
      label: 'Errors by set and machine',
      rows: sets,
      sortable: sets.length > 1,
      columns: [
        { title: 'Set', text: (set) => shown(set.name, 60) },
        ...names.map((name) => ({
          title: shown(name, 40),
          text: (set) =>
            errorCell(
              of(set, name),
              min(set.machines, (m) => m.error),
            ),
          value: (set) => of(set, name)?.error,
        })),
        ...(sets.some((set) => set.majority_error != null)
          ? [
              {
                title: 'Guessing',
                text: (set) => percent(set.majority_error),
                value: (set) => set.majority_error,
                note: 'always giving the most frequent class',
              },
            ]
          : []),
        { title: 'Rows', text: (set) => count(set.rows), value: (set) => set.rows },
        { title: 'Classes', text: (set) => count(set.classes), value: (set) => set.classes },
      ],
    }),
    element(
      'figcaption',
      {},
      'The smallest error of each set is marked.',
      sets.some((set) => set.majority_error != null) && ' Guessing: always giving the most frequent class.',
      repeated && ' After ±: how much the error varies from one split of the rows to the next (standard deviation).',
    ),
    balanced.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, 'With every class counted alike'),
        table({
          label: 'Balanced errors',
          rows: balanced,
          sortable: true,
          columns: [
            { title: 'Set', text: (m) => shown(m.set, 60) },
            { title: 'Machine', text: (m) => shown(m.name, 60) },
            { title: 'Wrong', text: (m) => percent(m.error), value: (m) => m.error },
            { title: 'Wrong, classes alike', text: (m) => percent(m.balanced_error), value: (m) => m.balanced_error },
          ],
        }),
      ),
  );
}
