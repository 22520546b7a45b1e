// SPDX-License-Identifier: Apache-2.0
//
// A published table beside ours, as the tool prints it: the columns are the keys of its rows.

import { element } from './dom.js';
import { table } from './table.js';
import { number, shown } from './words.js';

function text(value) {
  if (value == null) return '–';
  if (typeof value === 'number') return number(value);
  return shown(typeof value === 'object' ? JSON.stringify(value) : value, 200);
}

export function reproduction(result) {
  const rows = result.rows ?? [];
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const named = !Array.isArray(rows[0]);
  return element(
    'figure',
    { id: 'reproduction', class: 'wide' },
    element('h2', {}, shown(result.title ?? result.table ?? 'A published table', 200)),
    rows.length > 0 &&
      table({
        label: 'Published and ours',
        rows,
        sortable: true,
        columns: keys.map((key) => ({
          title: named ? shown(key.replace(/_/g, ' '), 60) : '',
          text: (row) => text(row[key]),
          value: rows.every((row) => row[key] == null || typeof row[key] === 'number') ? (row) => row[key] : undefined,
        })),
      }),
  );
}
