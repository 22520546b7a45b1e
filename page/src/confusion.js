// SPDX-License-Identifier: Apache-2.0
//
// The confusion matrix: what rows of each class were taken for. Two to a hundred classes.

import { max, sum } from 'd3-array';
import { similarOrder } from './class_order.js';
import { element } from './dom.js';
import { add, drawing } from './drawing.js';
import { mistakes } from './estimate.js';
import { shortNames } from './short_names.js';
import { table } from './table.js';
import { count, percent, plural, quoted, shown } from './words.js';

const kSorted = 12; // with more classes than this similar ones are put side by side at first
const kFewest = 7; // pixels of a cell; narrower matrices scroll in their box
const kWidest = 52;
const kLongest = 18; // letters of a label
const kLetter = 7.6; // pixels of a letter at the size of tick labels, on the wide side

function layout(width, labels) {
  const L = labels.length;
  const longest = max(shortNames(labels, kLongest), (name) => Array.from(name).length);
  // Not less than the words "true class" above the labels take.
  const gutter = Math.max(74, Math.min(140, kLetter * longest + 12, 0.34 * width));
  const room = width - gutter - 18;
  const cell = Math.max(kFewest, Math.min(L < 5 ? 1.7 * kWidest : kWidest, room / L));
  const font = Math.min(12.5, cell * 0.92);
  const upright = kLetter * longest + 4 < cell; // column labels fit without being turned
  const label = Math.min(gutter, (kLetter / 12.5) * font * longest + 12);
  return { gutter, cell, font, upright, top: (upright ? 20 : label) + 24, size: L * cell };
}

function describe(confusion) {
  const n = sum(confusion.counts, (row) => sum(row));
  const right = sum(confusion.counts, (row, i) => row[i]);
  const worst = mistakes(confusion)
    .slice(0, 5)
    .map((m) => `${shown(m.label)} taken for ${shown(m.given)} ${m.rows} of ${m.of}`);
  return (
    `Confusion matrix of ${confusion.labels.length} classes: ${count(right)} of ${count(n)} rows right. ` +
    `${worst.join('; ')}`
  );
}

function draw(width, confusion, order, unit) {
  const { labels, counts } = confusion;
  const { gutter, cell, font, upright, top, size } = layout(width, labels);
  const svg = drawing(Math.ceil(gutter + size + 18), Math.ceil(top + size + 6), describe(confusion)).attr(
    'class',
    'confusion',
  );
  const left = gutter;
  const rows = counts.map((row) => sum(row));
  const share = (i, j) => (rows[i] > 0 ? counts[i][j] / rows[i] : 0);
  let largest = 0; // of the mistakes: they get a scale of their own, or they would be too pale to see
  counts.forEach((row, i) =>
    row.forEach((c, j) => {
      if (i !== j) largest = Math.max(largest, share(i, j));
    }),
  );

  add(svg, 'text', {
    class: 'axis-title',
    x: left + Math.min(size, width - left) / 2,
    y: 12,
    'text-anchor': 'middle',
  }).text('taken for');
  add(svg, 'text', { class: 'axis-title', x: 0, y: top - 8 }).text('true class');
  add(svg, 'rect', { class: 'ground', x: left, y: top, width: size, height: size });

  const letters = Math.floor((gutter - 10) / ((kLetter / 12.5) * font));
  const names = shortNames(labels, Math.min(kLongest, letters));
  order.forEach((index, place) => {
    const at = place * cell + cell / 2;
    add(svg, 'text', { class: 'tick' })
      .style('font-size', `${font}px`)
      .attr('x', left - 6)
      .attr('y', top + at)
      .attr('dy', '0.35em')
      .attr('text-anchor', 'end')
      .text(names[index]);
    const column = add(svg, 'text', { class: 'tick' })
      .style('font-size', `${font}px`)
      .text(names[index]);
    if (upright)
      column
        .attr('x', left + at)
        .attr('y', top - 8)
        .attr('text-anchor', 'middle');
    else column.attr('transform', `translate(${left + at},${top - 6}) rotate(-90)`).attr('dy', '0.35em');
  });

  const items = [];
  const gap = cell > 14 ? 1.5 : 0.5;
  order.forEach((i, r) =>
    order.forEach((j, c) => {
      const x = left + c * cell;
      const y = top + r * cell;
      const rowsHere = counts[i][j];
      if (rowsHere > 0) {
        const strength = i === j ? 0.12 + 0.78 * share(i, j) ** 2 : 0.2 + 0.8 * Math.sqrt(share(i, j) / largest);
        add(svg, 'rect', {
          class: i === j ? 'hit' : 'miss',
          'fill-opacity': strength.toFixed(3),
          x: x + gap / 2,
          y: y + gap / 2,
          width: cell - gap,
          height: cell - gap,
          rx: Math.min(4, cell / 8),
        });
        const text =
          unit === 'rows' ? count(rowsHere) : (100 * share(i, j)).toFixed(share(i, j) < 0.0995 && cell > 34 ? 1 : 0);
        const size = Math.min(14, cell * 0.42, (1.5 * cell) / text.length);
        if (cell >= 20 && size > 7) {
          add(svg, 'text', { class: strength > (i === j ? 0.7 : 0.85) ? 'value on-strong' : 'value' })
            .style('font-size', `${size}px`)
            .attr('x', x + cell / 2)
            .attr('y', y + cell / 2)
            .attr('dy', '0.35em')
            .attr('text-anchor', 'middle')
            .text(text);
        }
      }
      items.push({
        x: x + cell / 2,
        y: y + cell / 2,
        width: cell,
        height: cell,
        lines: [
          i === j ? `${quoted(labels[i])} recognised` : `${quoted(labels[i])} taken for ${quoted(labels[j])}`,
          `${count(rowsHere)} of ${plural(rows[i], 'row')} (${percent(share(i, j))})`,
        ],
      });
    }),
  );
  return { svg: svg.node(), items, reach: 1 };
}

export function confusion(result) {
  const tested = result.kind === 'evaluate' ? result : result.held_out;
  const data = tested?.confusion;
  if (!data || data.labels.length < 2) return null;
  const L = data.labels.length;
  const given = data.labels.map((_, i) => i);
  const similar = similarOrder(data.counts);
  const all = mistakes(data);
  let unit = 'rows';
  let order = L > kSorted ? similar : given;

  const switches = [
    {
      label: 'Show',
      choices: [
        { name: 'rows', text: 'Rows' },
        { name: 'share', text: 'Per cent of the true class' },
      ],
      chosen: unit,
      choose: (name) => {
        unit = name;
      },
    },
  ];
  if (L > 3 && all.length > 0) {
    switches.push({
      label: 'Order of classes',
      choices: [
        { name: 'given', text: 'As given' },
        { name: 'similar', text: 'Confused side by side' },
      ],
      chosen: order === similar ? 'similar' : 'given',
      choose: (name) => {
        order = name === 'similar' ? similar : given;
      },
    });
  }
  return {
    id: 'confusion',
    title: 'Which classes are confused',
    wide: L > 5,
    switches,
    scroll: true,
    draw: (width) => draw(width, data, order, unit),
    caption:
      'Each line is a true class, each column what its rows were taken for' +
      (result.kind === 'evaluate' ? '. ' : ', by a model that had not seen them. ') +
      'Blue on the diagonal is right, orange is wrong; the stronger the orange, the larger the share of the class.',
    numbers: () =>
      all.length === 0
        ? element('p', {}, 'There are no mistakes.')
        : table({
            label: 'Mistakes, most frequent first',
            limit: 300,
            rows: all,
            columns: [
              { title: 'True class', text: (m) => shown(m.label, 200) },
              { title: 'Taken for', text: (m) => shown(m.given, 200) },
              { title: 'Rows', text: (m) => count(m.rows), value: (m) => m.rows },
              { title: 'Of the class', text: (m) => percent(m.rows / m.of), value: (m) => m.rows / m.of },
            ],
          }),
  };
}
