// SPDX-License-Identifier: Apache-2.0
//
// Tables; a click on a heading sorts. Wide ones scroll in their own box.

import { element } from './dom.js';

/// columns [{title, text(row), value(row)?, note?, share(row)?}]: `value` is what is sorted by and makes the column
/// numeric, `share` (0 to 1) draws a bar behind the text.
export function table({ columns, rows, sortable = false, label, limit = Infinity }) {
  const body = element('tbody');
  const fill = (ordered) =>
    body.replaceChildren(
      ...ordered
        .slice(0, limit)
        .map((row) => element('tr', {}, ...columns.map((column, index) => cell(column, row, index)))),
    );

  const headings = columns.map((column) => {
    const th = element('th', { scope: 'col', class: column.value ? 'numeric' : null, title: column.note });
    if (!sortable) th.append(column.title);
    else th.append(element('button', { type: 'button', onclick: () => sort(column, th) }, column.title));
    return th;
  });
  const sort = (column, th) => {
    const descending = th.getAttribute('aria-sort') ? th.getAttribute('aria-sort') === 'ascending' : !!column.value;
    for (const heading of headings) heading.removeAttribute('aria-sort');
    th.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    const key = column.value ?? column.text;
    fill([...rows].sort((a, b) => (descending ? -1 : 1) * compare(key(a), key(b))));
  };
  fill(rows);
  const left = rows.length - Math.min(rows.length, limit);
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': label },
      element('table', {}, element('thead', {}, element('tr', {}, ...headings)), body),
    ),
    left > 0 && element('p', { class: 'note' }, `… and ${left} more.`),
  );
}

function cell(column, row, index) {
  const content = column.text(row);
  const node =
    index === 0
      ? element('th', { scope: 'row' }, content)
      : element('td', { class: column.value ? 'numeric' : null }, content);
  const share = column.share?.(row);
  if (share != null) {
    node.classList.add('bar');
    node.style.setProperty('--share', share);
  }
  return node;
}

function compare(a, b) {
  if (typeof a === 'string') return a.localeCompare(b, 'en', { numeric: true });
  return (a ?? -Infinity) - (b ?? -Infinity);
}
