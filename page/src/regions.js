// SPDX-License-Identifier: Apache-2.0
//
// The class that the model gives over two features, all others at their medians.

import { scaleLinear } from 'd3-scale';
import { xAxis, yAxis } from './axes.js';
import { classEntries } from './class_legend.js';
import { classColour, classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { table } from './table.js';
import { count, number, percent, quoted, shown } from './words.js';

/// One path per class from runs of equal cells in a row: a few hundred strips instead of all cells.
function strips(data, x, y) {
  const { width, height, classes } = data;
  const xs = (c) => x(data.x[0] + ((data.x[1] - data.x[0]) * c) / width);
  const ys = (r) => y(data.y[0] + ((data.y[1] - data.y[0]) * r) / height);
  const paths = new Map();
  for (let r = 0; r < height; r += 1) {
    for (let c = 0; c < width;) {
      const index = classes[r * width + c];
      const from = c;
      while (c < width && classes[r * width + c] === index) c += 1;
      const [left, right, low, high] = [xs(from), xs(c), ys(r), ys(r + 1)].map((v) => v.toFixed(2));
      const strip = `M${left},${low}H${right}V${high}H${left}Z`;
      paths.set(index, (paths.get(index) ?? '') + strip);
    }
  }
  return paths;
}

function draw(width, data, labels, muted, label) {
  const height = Math.round(Math.min(430, Math.max(300, 0.75 * width)));
  const box = { left: 52, right: width - 12, top: 32, bottom: height - 46 };
  const svg = drawing(width, height, label);
  const x = scaleLinear(data.x, [box.left, box.right]);
  const y = scaleLinear(data.y, [box.bottom, box.top]);
  for (const [index, path] of strips(data, x, y)) {
    add(svg, 'path', {
      d: path,
      fill: classColour(index),
      'fill-opacity': muted.has(index) ? 0.04 : 0.32,
      'shape-rendering': 'crispEdges',
    });
  }
  xAxis(svg, x, box, { title: shown(data.features[0], 40), grid: false });
  yAxis(svg, y, box, { title: shown(data.features[1], 40), grid: false });

  const given = (px, py) => {
    const c = Math.min(
      data.width - 1,
      Math.max(0, Math.floor((data.width * (px - data.x[0])) / (data.x[1] - data.x[0]))),
    );
    const r = Math.min(
      data.height - 1,
      Math.max(0, Math.floor((data.height * (py - data.y[0])) / (data.y[1] - data.y[0]))),
    );
    return data.classes[r * data.width + c];
  };
  const items = [];
  for (const point of data.points ?? []) {
    if (point.x < data.x[0] || point.x > data.x[1] || point.y < data.y[0] || point.y > data.y[1]) continue;
    const silent = muted.has(point.label);
    classMark(svg, point.label, data.points.length > 300 ? 14 : 26)
      .attr('transform', `translate(${x(point.x)},${y(point.y)})`)
      .attr('opacity', silent ? 0.06 : 0.95);
    if (!silent) {
      items.push({
        x: x(point.x),
        y: y(point.y),
        lines: [
          `A row of ${quoted(labels[point.label])}`,
          `region of ${quoted(labels[given(point.x, point.y)])}`,
          `${shown(data.features[0], 30)} ${number(point.x)}, ${shown(data.features[1], 30)} ${number(point.y)}`,
        ],
      });
    }
  }
  // A coarse lattice, so that the regions themselves can be asked as well.
  const kAcross = 24;
  for (let r = 0; r < kAcross; r += 1) {
    for (let c = 0; c < kAcross; c += 1) {
      const [px, py] = [
        data.x[0] + ((c + 0.5) / kAcross) * (data.x[1] - data.x[0]),
        data.y[0] + ((r + 0.5) / kAcross) * (data.y[1] - data.y[0]),
      ];
      items.push({ x: x(px), y: y(py), lines: [`Region of ${quoted(labels[given(px, py)])}`] });
    }
  }
  return { svg: svg.node(), items, reach: 24 };
}

export function regions(result) {
  const data = result.held_out?.figures?.regions ?? result.figures?.regions;
  if (!data?.classes?.length || !result.classes) return null;
  const labels = result.classes;
  const cells = new Map();
  for (const index of data.classes) cells.set(index, (cells.get(index) ?? 0) + 1);
  const shares = [...cells]
    .map(([index, n]) => ({ index, share: n / data.classes.length }))
    .sort((a, b) => b.share - a.share);
  const label =
    `Regions of the model over ${shown(data.features[0])} and ${shown(data.features[1])}: ` +
    shares
      .slice(0, 8)
      .map((s) => `${shown(labels[s.index])} ${percent(s.share)}`)
      .join(', ');
  const muted = new Set();
  const present = labels.map((_, i) => i).filter((i) => cells.has(i) || (data.points ?? []).some((p) => p.label === i));
  return {
    id: 'regions',
    title: 'What the model says where',
    draw: (width) => draw(width, data, labels, muted, label),
    legend: { entries: classEntries(labels, present), muted },
    caption:
      `The class that the model gives for each value of ${quoted(data.features[0])} and ` +
      `${quoted(data.features[1])}, with all other ` +
      'features held at their medians. It is a slice: rows whose other features differ may lie outside their ' +
      'colour and still be recognised.' +
      ` ${count(shares.length)} of ${count(labels.length)} classes have a region in this slice.`,
    numbers: () =>
      table({
        label: 'Share of the slice of each class',
        rows: shares,
        columns: [
          { title: 'Class', text: (s) => shown(labels[s.index], 200) },
          { title: 'Share of the slice', text: (s) => percent(s.share), value: (s) => s.share },
        ],
      }),
  };
}
