// SPDX-License-Identifier: Apache-2.0
//
// Differences between machines with their intervals, on one axis with a line at zero.

import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { xAxis } from './axes.js';
import { add, drawing } from './drawing.js';
import { clear, correction } from './pair_test.js';
import { table } from './table.js';
import { pValue, percent, points, shown } from './words.js';

const kMany = 24; // pairs on one drawing; with more, one set at a time

function draw(width, pairs, label) {
  const narrow = width < 620;
  const pitch = narrow ? 46 : 30;
  const sets = [...new Set(pairs.map((pair) => pair.set))];
  const headings = sets.length > 1 ? 28 : 0;
  const box = { left: narrow ? 22 : 230, right: width - (narrow ? 22 : 84), top: 34 };
  box.bottom = box.top + pairs.length * pitch + sets.length * headings;
  const svg = drawing(width, box.bottom + 48, label);
  // Zero is in view with room on both sides, for its two hints.
  const below = Math.max(0, -min(pairs, (p) => p.low ?? p.difference));
  const above = Math.max(
    0,
    max(pairs, (p) => p.high ?? p.difference),
  );
  const least = (narrow ? 0.55 : 0.4) * Math.max(below, above) || 0.01;
  const x = scaleLinear([-1.06 * Math.max(below, least), 1.06 * Math.max(above, least)], [box.left, box.right]);
  xAxis(svg, x, box, {
    ticks: narrow ? 4 : 6,
    format: (v) => points(v),
    title: 'difference of the errors, percentage points',
  });
  add(svg, 'line', { class: 'zero', x1: x(0), x2: x(0), y1: box.top - 4, y2: box.bottom });
  add(svg, 'text', { class: 'hint', x: x(0) - 10, y: box.top - 14, 'text-anchor': 'end' }).text(narrow ? '← first better' : '← first is better');
  add(svg, 'text', { class: 'hint', x: x(0) + 10, y: box.top - 14 }).text(narrow ? 'second better →' : 'second is better →');

  const items = [];
  let y = box.top;
  for (const set of sets) {
    if (headings) {
      add(svg, 'text', { class: 'group', x: 0, y: y + 20 }).text(shown(set, 40));
      y += headings;
    }
    for (const pair of pairs.filter((p) => p.set === set)) {
      const middle = y + (narrow ? 32 : pitch / 2);
      const style = clear(pair) ? 'interval sure' : 'interval';
      const names = `${shown(pair.first, 20)} – ${shown(pair.second, 20)}`;
      const p = `p ${pValue(pair.holm_p ?? pair.p)}`;
      add(svg, 'text', {
        class: 'tick halo',
        x: narrow ? 0 : box.left - 12,
        y: narrow ? y + 15 : middle,
        dy: '0.35em',
        'text-anchor': narrow ? 'start' : 'end',
      }).text(names);
      add(svg, 'text', {
        class: clear(pair) ? 'tick strong' : 'tick',
        x: narrow ? width : box.right + 12,
        y: narrow ? y + 15 : middle,
        dy: '0.35em',
        'text-anchor': narrow ? 'end' : 'start',
      }).text(p);
      if (pair.low != null && pair.high != null) {
        add(svg, 'line', { class: style, x1: x(pair.low), x2: x(pair.high), y1: middle, y2: middle });
      }
      add(svg, 'circle', { class: style, cx: x(pair.difference), cy: middle, r: 5 });
      items.push({
        x: x(pair.difference),
        y: middle,
        width: narrow ? 40 : 60,
        height: pitch - 4,
        lines: [
          shown(pair.verdict ?? names, 300),
          `${points(pair.difference)} points`,
          ...(pair.low != null
            ? [`${percent(pair.confidence ?? 0.95)} interval ${points(pair.low)} to ${points(pair.high)}`]
            : []),
          `${shown(pair.test)}, p ` +
            `${pValue(pair.p)}${pair.holm_p != null ? `, corrected ${pValue(pair.holm_p)}` : ''}`,
        ],
      });
      y += pitch;
    }
  }
  return { svg: svg.node(), items, reach: 30 };
}

export function intervals(result) {
  const pairs = result.pairs ?? [];
  if (pairs.length === 0) return null;
  const sets = [...new Set(pairs.map((pair) => pair.set))];
  let set = pairs.length > kMany && sets.length > 1 ? sets[0] : null;
  const visible = (whole) => pairs.filter((pair) => whole || set === null || pair.set === set);
  const test = shown([...new Set(pairs.map((pair) => pair.test))].join(', '));
  return {
    id: 'differences',
    title: 'Differences between machines',
    wide: true,
    switches:
      set === null
        ? []
        : [
            {
              label: 'Set',
              choices: sets.map((name, i) => ({ name: String(i), text: shown(name, 30) })),
              chosen: '0',
              choose: (i) => {
                set = sets[Number(i)];
              },
            },
          ],
    draw: (width, whole) =>
      draw(
        width,
        visible(whole),
        `Differences of errors: ${visible(whole)
          .map((pair) => shown(pair.verdict, 300))
          .join(' ')}`,
      ),
    caption:
      `Error of the first machine minus error of the second (${test} test); the line is the interval in which the ` +
      `true difference is likely to lie. ` +
      'Where it crosses zero, chance alone could explain the difference. p is the chance of such a difference ' +
      'between equal machines' +
      correction(pairs, sets.length) +
      '; under 0.05 is filled.' +
      (pairs.some((pair) => pair.low == null)
        ? ' A point without a line has no interval: either all parts gave the same difference, or they differ so much ' +
          'among themselves that the test refuses every one.'
        : ''),
    numbers: () =>
      table({
        label: 'Pairs of machines',
        rows: pairs,
        sortable: true,
        limit: 300,
        columns: [
          { title: 'Set', text: (p) => shown(p.set ?? '–', 60) },
          { title: 'First', text: (p) => shown(p.first, 60) },
          { title: 'Second', text: (p) => shown(p.second, 60) },
          { title: 'Difference', text: (p) => points(p.difference), value: (p) => p.difference },
          {
            title: 'From',
            text: (p) => (p.low == null ? '–' : points(p.low)),
            value: (p) => p.low,
          },
          {
            title: 'To',
            text: (p) => (p.high == null ? '–' : points(p.high)),
            value: (p) => p.high,
          },
          { title: 'p', text: (p) => pValue(p.p), value: (p) => p.p },
          { title: 'p corrected', text: (p) => pValue(p.holm_p), value: (p) => p.holm_p },
          { title: 'Verdict', text: (p) => shown(p.verdict ?? '–', 300) },
        ],
      }),
  };
}
