// SPDX-License-Identifier: Apache-2.0
//
// Rows of few classes on the one direction there is: how often each value occurs in each class, as smooth hills on one
// axis, with the rows themselves as marks below.

import { area, curveBasis, line } from 'd3-shape';
import { deviation, max, quantileSorted, range } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { xAxis } from './axes.js';
import { classColour, classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { wrong } from './map_points.js';
import { percent, quoted } from './words.js';

const kSteps = 140; // places at which a hill is found

/// Gaussian density of the values at the places, times their share of all rows; its width is Silverman's rule.
function hill(values, places, rows) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (quantileSorted(sorted, 0.75) - quantileSorted(sorted, 0.25)) / 1.34;
  const spread = Math.min(deviation(sorted) || Infinity, middle || Infinity);
  const least = (places[places.length - 1] - places[0]) / 80; // a single row, or equal ones, have no spread
  const width = Math.max(least, Number.isFinite(spread) ? 0.9 * spread * sorted.length ** -0.2 : 0);
  return places.map(
    (at) => sorted.reduce((sum, v) => sum + Math.exp(-(((at - v) / width) ** 2) / 2), 0) / (width * rows),
  );
}

/// `frame`: the ends of the axis; `view`: what is muted.
export function scoreCurves(width, points, labels, present, frame, view, label) {
  const lane = 13; // pixels of a class's row of marks
  const box = { left: 10, right: width - 10, top: 12, bottom: 12 + Math.round(Math.min(240, Math.max(170, 0.4 * width))) };
  const lanes = { top: box.bottom + 8, bottom: box.bottom + 8 + present.length * lane };
  const svg = drawing(width, lanes.bottom + 46, label);
  const x = scaleLinear(frame, [box.left, box.right]);
  const places = range(kSteps + 1).map((k) => frame[0] + ((frame[1] - frame[0]) * k) / kSteps);
  const hills = present.map((index) => ({
    index,
    heights: hill(
      points.filter((p) => p.label === index).map((p) => p.x),
      places,
      points.length,
    ),
  }));
  const y = scaleLinear([0, max(hills, (h) => max(h.heights))], [box.bottom, box.top]);
  xAxis(svg, x, { ...box, top: lanes.bottom, bottom: lanes.bottom }, { title: 'score along the direction', grid: false });
  for (const { index, heights } of hills) {
    const opacity = view.muted.has(index) ? 0.07 : 1;
    const ends = heights.map((h, k) => [x(places[k]), y(h)]);
    add(svg, 'path', {
      d: area().y0(box.bottom).curve(curveBasis)(ends),
      fill: classColour(index),
      'fill-opacity': 0.25 * opacity,
    });
    add(svg, 'path', {
      class: 'hill',
      d: line().curve(curveBasis)(ends),
      fill: 'none',
      stroke: classColour(index),
      'stroke-width': 2,
      'stroke-opacity': opacity,
    });
  }
  const items = [];
  present.forEach((index, k) => {
    const middle = lanes.top + (k + 0.5) * lane;
    for (const point of points.filter((p) => p.label === index)) {
      const silent = view.muted.has(index) || (view.mistakes && !wrong(point));
      classMark(svg, index, 18)
        .attr('transform', `translate(${x(point.x)},${middle})`)
        .attr('opacity', silent ? 0.07 : 0.6);
      if (silent) continue;
      if (wrong(point)) add(svg, 'circle', { class: 'mistake', cx: x(point.x), cy: middle, r: 5 });
      items.push({
        x: x(point.x),
        y: middle,
        lines: [quoted(labels[index]), ...(wrong(point) ? [`taken for ${quoted(labels[point.predicted])}`] : [])],
      });
    }
  });
  // The hills answer too: the share of each class near a place.
  const kAcross = 40;
  for (let k = 0; k < kAcross; k += 1) {
    const step = Math.round(((k + 0.5) * kSteps) / kAcross);
    const here = hills.map((h) => h.heights[step]);
    const all = here.reduce((a, b) => a + b, 0);
    const lines =
      all > 0
        ? hills.map((h, i) => ({ index: h.index, share: here[i] / all })).sort((a, b) => b.share - a.share)
        : [];
    items.push({
      x: x(places[step]),
      y: (box.top + box.bottom) / 2,
      width: (box.right - box.left) / kAcross,
      height: box.bottom - box.top,
      lines:
        lines.length === 0
          ? ['no rows here']
          : lines.slice(0, 3).map((s) => `${percent(s.share)} of the rows here are ${quoted(labels[s.index])}`),
    });
  }
  return { svg: svg.node(), items, reach: 14 };
}
