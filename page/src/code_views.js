// SPDX-License-Identifier: Apache-2.0
//
// Test rows in the outputs for the first two columns of a code: how far two outputs alone part the classes.

import { scaleLinear } from 'd3-scale';
import { xAxis, yAxis } from './axes.js';
import { classEntries } from './class_legend.js';
import { classMark } from './class_marks.js';
import { drawing } from './drawing.js';
import { framed } from './map_points.js';
import { number, plural, quoted, shown } from './words.js';

function draw(width, { points, frames }, classes, muted, label) {
  const height = Math.round(Math.min(520, Math.max(300, 0.75 * width)));
  const box = { left: 52, right: width - 12, top: 32, bottom: height - 46 };
  const svg = drawing(width, height, label);
  const x = scaleLinear(frames.x, [box.left, box.right]);
  const y = scaleLinear(frames.y, [box.bottom, box.top]);
  xAxis(svg, x, box, { title: 'output for column 1' });
  yAxis(svg, y, box, { title: 'output for column 2' });
  const items = points.map((p) => {
    const index = classes.indexOf(p.class);
    const at = { x: x(p.x), y: y(p.y) };
    classMark(svg, index, 40)
      .attr('transform', `translate(${at.x},${at.y})`)
      .attr('opacity', muted.has(index) ? 0.07 : 0.9);
    return { ...at, lines: [quoted(p.class), `${number(p.x)}, ${number(p.y)}`] };
  });
  return { svg: svg.node(), items, reach: 14 };
}

export function codeViews(result) {
  return (result.views ?? []).map(({ dataset, code, points }, k) => {
    const classes = [...new Set(points.map((p) => p.class))];
    const muted = new Set();
    const label = `${plural(points.length, 'test row')} of ${shown(dataset)} in the outputs for the first two columns of ${shown(code)}`;
    return {
      id: `code-view-${k + 1}`,
      title: `${shown(dataset, 40)}: first two columns of ${shown(code, 30)}`,
      draw: (width) => draw(width, framed(points), classes, muted, label),
      legend: { entries: classEntries(classes, [...classes.keys()]), muted },
      caption: 'Each mark is a test row, at the outputs for the first two columns of the code. Press a class to mute it.',
    };
  });
}
