// SPDX-License-Identifier: Apache-2.0
//
// The error by the length of the code: how many outputs the machine needs.

import { extent, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { xAxis, yAxis } from './axes.js';
import { classColour, classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { table } from './table.js';
import { list, percent, plural, shown, tickPercent } from './words.js';

/// Codes that are drawn at random have several runs, with their mean as the errors.
const nameOf = (code) => shown(code.name, 40) + (code.runs ? `, mean of ${code.runs.length}` : '');

function draw(width, codes, label) {
  const box = { left: 54, right: width - 14, top: 32, bottom: 286 };
  const svg = drawing(width, 334, label);
  const x = scaleLinear(extent(codes.flatMap((code) => code.lengths)), [box.left + 8, box.right]);
  const highest = max(codes, (code) => max([code.errors, ...(code.runs ?? [])].flat()));
  const y = scaleLinear([0, highest], [box.bottom, box.top]).nice();
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
    const curve = (errors, look) =>
      add(svg, 'path', {
        fill: 'none',
        stroke: classColour(index),
        d: line(
          (_, k) => x(code.lengths[k]),
          (error) => y(error),
        )(errors),
        ...look,
      });
    for (const run of code.runs ?? []) curve(run, { 'stroke-opacity': 0.35 });
    curve(code.errors, { 'stroke-width': 2 });
    for (const p of points) {
      classMark(svg, index, 44).attr('transform', `translate(${p.x},${p.y})`);
      items.push({
        x: p.x,
        y: p.y,
        lines: [shown(code.name), `${percent(p.error)} wrong with ${plural(p.length, 'output')}`],
      });
    }
  });
  return { svg: svg.node(), items };
}

function curves(set, index) {
  const codes = (set.codes ?? []).filter((code) => code.lengths?.length > 0);
  if (codes.length === 0) return null;
  const ends = codes.map((code) => {
    const best = code.errors.indexOf(Math.min(...code.errors));
    return `${shown(code.name)} ${percent(code.errors[best])} with ${plural(code.lengths[best], 'output')}`;
  });
  return {
    id: `code-lengths-${index + 1}`,
    title: set.name ? `How long a code it takes: ${shown(set.name, 40)}` : 'How long a code it takes',
    draw: (width) => draw(width, codes, `Error by length of the code; best: ${ends.join('; ')}`),
    legend: { entries: codes.map((code, index) => ({ index, text: nameOf(code) })) },
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
  };
}

// One figure for each data set.
export function codeLengths(result) {
  return (result.figures?.code_lengths ?? []).map(curves);
}
