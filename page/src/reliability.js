// SPDX-License-Identifier: Apache-2.0
//
// Can the probabilities be believed? Rows by the probability of the class they are given, against the share of them
// that is right.

import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { xAxis, yAxis } from './axes.js';
import { calibrationVerdict, priorLoss } from './calibration_verdict.js';
import { add, drawing } from './drawing.js';
import { along, clearPlace } from './line_words.js';
import { table } from './table.js';
import { count, percent, plural } from './words.js';
import { wilson } from './wilson.js';

const kIdeal = 'as it should be';
const kIdealWidth = 92; // pixels of these words, on the wide side

function draw(width, bins, label) {
  const side = Math.min(width - 74, 400);
  const box = { left: 52, right: 52 + side, top: 30, bottom: 30 + Math.min(side, 320) };
  const bars = { top: box.bottom + 72, bottom: box.bottom + 128 };
  const svg = drawing(Math.min(width, box.right + 22), bars.bottom + 8, label);
  const x = scaleLinear([0, 1], [box.left, box.right]);
  const y = scaleLinear([0, 1], [box.bottom, box.top]);
  const whole = (v) => `${Math.round(100 * v)}%`;
  xAxis(svg, x, box, { format: whole, title: 'probability that the model states' });
  yAxis(svg, y, box, { format: whole, title: 'share that is right' });
  add(svg, 'line', { class: 'ideal', x1: x(0), y1: y(0), x2: x(1), y2: y(1) });
  const most = max(bins, (bin) => bin.rows);
  const tall = scaleLinear([0, most], [bars.bottom, bars.top]);
  add(svg, 'text', { class: 'hint', x: box.left + 2, y: bars.top - 4 }).text(`rows (most: ${count(most)})`);
  const whiskers = [];
  const items = bins.map((bin) => {
    const range = wilson(bin.accuracy, bin.rows);
    const [low, high] = [range.low, range.high].map((share) => ({ x: x(bin.confidence), y: y(share) }));
    add(svg, 'line', { class: 'whisker', x1: low.x, x2: high.x, y1: low.y, y2: high.y });
    whiskers.push([low, high]);
    add(svg, 'rect', {
      class: 'count',
      x: x(bin.low) + 1,
      width: Math.max(1, x(bin.high) - x(bin.low) - 2),
      y: Math.min(tall(bin.rows), bars.bottom - 1),
      height: Math.max(1, bars.bottom - tall(bin.rows)),
    });
    return {
      x: x(bin.confidence),
      y: y(bin.accuracy),
      bar: { x: (x(bin.low) + x(bin.high)) / 2, width: x(bin.high) - x(bin.low) },
      lines: [
        `Stated ${whole(bin.low)} to ${whole(bin.high)} (mean ${percent(bin.confidence)})`,
        `right on ${percent(bin.accuracy)} of ${plural(bin.rows, 'row')}`,
        `95 % interval ${percent(range.low)} – ${percent(range.high)}`,
      ],
    };
  });
  add(svg, 'path', {
    class: 'curve',
    d: line(
      (i) => i.x,
      (i) => i.y,
    )(items),
  });
  const dots = bins.map((bin, i) => ({ x: items[i].x, y: items[i].y, r: 3.5 + 5.5 * Math.sqrt(bin.rows / most) }));
  dots.forEach((dot) => add(svg, 'circle', { class: 'dot', cx: dot.x, cy: dot.y, r: dot.r }));
  const [from, to] = [0, 1].map((share) => ({ x: x(share), y: y(share) }));
  const place = clearPlace(from, to, kIdealWidth, [...dots, ...along(items), ...whiskers.flatMap(along)]);
  if (place) {
    const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    add(svg, 'text', { class: 'hint', transform: `translate(${place.x},${place.y}) rotate(${turn})` }).text(kIdeal);
  }
  const under = items.map(({ bar, lines }) => ({
    x: bar.x,
    width: bar.width,
    y: (bars.top + bars.bottom) / 2,
    height: bars.bottom - bars.top,
    lines,
  }));
  return { svg: svg.node(), items: [...items, ...under], reach: 14 };
}

export function reliability(result) {
  const tested = result.kind === 'evaluate' ? result : result.held_out;
  const bins = (tested?.reliability ?? []).filter((bin) => bin.rows > 0);
  if (bins.length === 0) return null;
  const counts = tested.confusion?.counts;
  const words = calibrationVerdict({ bins, logLoss: tested.log_loss, counts }).text;
  const scores = [
    ['log loss', tested.log_loss, counts && `${priorLoss(counts).toFixed(3)} for always stating the shares of the classes`],
    ['Brier score', tested.brier],
  ]
    .filter(([, v]) => v != null)
    .map(([name, v, guess]) => `${name} ${v.toFixed(3)}${guess ? ` (${guess})` : ''}`);
  const error = tested.calibration_error;
  const label =
    `Reliability of probabilities. ${words} ` +
    bins.map((bin) => `Stated ${percent(bin.confidence)}, right ${percent(bin.accuracy)} of ${bin.rows}`).join('; ');
  return {
    id: 'reliability',
    title: 'Can its probabilities be believed?',
    lead: words,
    draw: (width) => draw(width, bins, label),
    caption:
      'Points on the dashed line are ideal; above it the model is better than it says, below it worse. Larger ' +
      'points stand for more rows, ' +
      'the lines through them are 95 % intervals.' +
      (error == null ? '' : ` The mean distance from the line (calibration error) is ${percent(error)}.`) +
      (scores.length > 0 ? ` Smaller is better: ${scores.join(', ')}.` : ''),
    numbers: () =>
      table({
        label: 'Reliability',
        rows: bins,
        columns: [
          { title: 'Stated', text: (b) => `${percent(b.low)} – ${percent(b.high)}` },
          { title: 'Rows', text: (b) => count(b.rows), value: (b) => b.rows },
          { title: 'Mean stated', text: (b) => percent(b.confidence), value: (b) => b.confidence },
          { title: 'Right', text: (b) => percent(b.accuracy), value: (b) => b.accuracy },
        ],
      }),
  };
}
