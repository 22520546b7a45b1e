// SPDX-License-Identifier: Apache-2.0
//
// Where the time went, as one bar.

import { scaleLinear } from 'd3-scale';
import { sum } from 'd3-array';
import { classColour } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { percent, seconds } from './words.js';

const kStages = [
  ['read', 'reading the table', 0],
  ['kernel', 'comparing rows (kernel)', 1],
  ['select', 'trying settings', 2],
  ['solve', 'fitting the model', 3],
];

function stages(times) {
  const named = kStages
    .map(([key, text, colour]) => ({ text, colour, time: times[key] ?? 0 }))
    .filter((stage) => stage.time > 0);
  const rest = (times.total ?? 0) - sum(named, (stage) => stage.time);
  // A rest under a hundredth is rounding, not a stage.
  return rest > 0.01 * times.total ? [...named, { text: 'everything else', colour: 5, time: rest }] : named;
}

function draw(width, all, label) {
  const svg = drawing(width, 40, label);
  const total = sum(all, (stage) => stage.time);
  const x = scaleLinear([0, total], [0, width]);
  let start = 0;
  const items = all.map((stage) => {
    const [left, right] = [x(start), x(start + stage.time)];
    start += stage.time;
    add(svg, 'rect', {
      x: left,
      y: 4,
      width: Math.max(1, right - left - 1.5),
      height: 32,
      rx: 3,
      fill: classColour(stage.colour),
    });
    return {
      x: (left + right) / 2,
      y: 20,
      width: right - left,
      height: 32,
      lines: [stage.text, `${seconds(stage.time)} (${percent(stage.time / total)})`],
    };
  });
  return { svg: svg.node(), items, reach: 4 };
}

export function timing(result) {
  if (!result.seconds?.total) return null;
  const all = stages(result.seconds);
  if (all.length === 0) return null;
  const entries = all.map((stage) => ({ index: stage.colour, text: `${stage.text} ${seconds(stage.time)}` }));
  return {
    id: 'timing',
    title: 'Where the time went',
    lead: `${seconds(result.seconds.total)} in all.`,
    draw: (width) => draw(width, all, `Time: ${entries.map((entry) => entry.text).join(', ')}`),
    legend: { entries },
    caption: 'Measured on the machine that made this result; another machine takes other times.',
  };
}
