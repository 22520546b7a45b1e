// SPDX-License-Identifier: Apache-2.0
//
// Axes in one look for all figures: faint grid lines, no frame.

import { axisBottom, axisLeft } from 'd3-axis';
import { add } from './drawing.js';

/// `format` of a tick; `title` under (or, for y, above) the axis.
export function xAxis(svg, scale, box, { ticks = 5, format, title, grid = true } = {}) {
  const axis = axisBottom(scale)
    .tickSizeInner(grid ? -(box.bottom - box.top) : 4)
    .tickSizeOuter(0)
    .tickPadding(8);
  configure(axis, ticks, format);
  add(svg, 'g', { class: 'axis', transform: `translate(0,${box.bottom})` }).call(axis);
  if (title) {
    add(svg, 'text', {
      class: 'axis-title',
      x: (box.left + box.right) / 2,
      y: box.bottom + 38,
      'text-anchor': 'middle',
    }).text(title);
  }
}

export function yAxis(svg, scale, box, { ticks = 5, format, title, grid = true } = {}) {
  const axis = axisLeft(scale)
    .tickSizeInner(grid ? -(box.right - box.left) : 4)
    .tickSizeOuter(0)
    .tickPadding(8);
  configure(axis, ticks, format);
  add(svg, 'g', { class: 'axis', transform: `translate(${box.left},0)` }).call(axis);
  if (title) {
    add(svg, 'text', { class: 'axis-title', x: 0, y: box.top - 12 }).text(title);
  }
}

function configure(axis, ticks, format) {
  if (Array.isArray(ticks)) axis.tickValues(ticks);
  else axis.ticks(ticks);
  if (format) axis.tickFormat(format);
}
