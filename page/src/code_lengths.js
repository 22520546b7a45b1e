// SPDX-License-Identifier: Apache-2.0
//
// The error by the length of the code: how many outputs the machine needs.

import { extent, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { xAxis, yAxis } from './axes.js';
import { classColour, classMark, markDrawing } from './class_marks.js';
import { element } from './dom.js';
import { add, drawing } from './drawing.js';
import { explore } from './explore.js';
import { figure } from './figure.js';
import { table } from './table.js';
import { list, percent, plural, shown, tickPercent } from './words.js';

function draw(width, codes, label) {
  const box = { left: 54, right: width - 14, top: 32, bottom: 286 };
  const svg = drawing(width, 334, label);
  const x = scaleLinear(extent(codes.flatMap((code) => code.lengths)), [box.left + 8, box.right]);
  const y = scaleLinear([0, max(codes, (code) => max(code.errors))], [box.bottom, box.top]).nice();
  xAxis(svg, x, box, {
    ticks: Math.min(10, Math.max(2, Math.round(width / 60))),
    format: (v) => (Number.isInteger(v) ? v : ''),
    title: 'length of the code (outputs)',
  });
  yAxis(svg, y, box, { format: tickPercent, title: 'wrong' });
  const items = [];
  codes.forEach((code, index) => {
    const points = code.lengths.map((length, k) => ({
      x: x(length),
      y: y(code.errors[k]),
      length,
      error: code.errors[k],
    }));
    add(svg, 'path', {
      fill: 'none',
      stroke: classColour(index),
      'stroke-width': 2,
      d: line(
        (p) => p.x,
        (p) => p.y,
      )(points),
    });
    for (const p of points) {
      classMark(svg, index, 44).attr('transform', `translate(${p.x},${p.y})`);
      items.push({
        x: p.x,
        y: p.y,
        lines: [shown(code.name), `${percent(p.error)} wrong with ${plural(p.length, 'output')}`],
      });
    }
  });
  explore(svg.node(), items);
  return svg.node();
}

function curves(set, index) {
  const codes = (set.codes ?? []).filter((code) => code.lengths?.length > 0);
  if (codes.length === 0) return [];
  const ends = codes.map((code) => {
    const best = code.errors.indexOf(Math.min(...code.errors));
    return `${shown(code.name)} ${percent(code.errors[best])} with ${plural(code.lengths[best], 'output')}`;
  });
  const { node } = figure({
    id: index === 0 ? 'code-lengths' : `code-lengths-${index + 1}`,
    title: set.name ? `How long a code it takes: ${shown(set.name, 40)}` : 'How long a code it takes',
    draw: (width) => draw(width, codes, `Error by length of the code; best: ${ends.join('; ')}`),
    caption:
      'Each class is written as a short code of numbers that the machine learns; longer codes cost more and tell ' +
      'classes apart better. ' +
      `Smallest errors: ${list(ends)}.`,
    numbers: () =>
      table({
        label: 'Errors by length',
        rows: codes.flatMap((code) =>
          code.lengths.map((length, k) => ({ name: code.name, length, error: code.errors[k] })),
        ),
        columns: [
          { title: 'Code', text: (r) => shown(r.name) },
          { title: 'Length', text: (r) => String(r.length), value: (r) => r.length },
          { title: 'Wrong', text: (r) => percent(r.error), value: (r) => r.error },
        ],
      }),
  });
  node
    .querySelector('.drawing')
    .after(
      element(
        'div',
        { class: 'legend still' },
        ...codes.map((code, k) => element('span', {}, markDrawing(k), shown(code.name, 40))),
      ),
    );
  return [node];
}

// One figure for each data set.
export function codeLengths(result) {
  return (result.figures?.code_lengths ?? []).flatMap(curves);
}
