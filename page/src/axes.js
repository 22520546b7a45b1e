// SPDX-License-Identifier: Apache-2.0
//
// Axes in one look for all figures: faint grid lines, no frame.

import { axisBottom, axisLeft } from 'd3-axis';
import { add } from './drawing.js';
import { shown } from './words.js';

const kMargin = 10; // of a drawing beside its axis, at least
const kLetter = 6.9; // pixels of a letter of a title, on the wide side

/// A title that fits into so many pixels: what stands in brackets goes first.
function fitting(title, room) {
  const fits = (text) => kLetter * Array.from(text).length <= room;
  return fits(title) ? title : shown(title.replace(/ \(.*\)$/, ''), Math.floor(room / kLetter));
}

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
    }).text(fitting(title, 2 * Math.min((box.left + box.right) / 2, (box.right - box.left) / 2 + kMargin)));
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
    add(svg, 'text', { class: 'axis-title', x: 0, y: box.top - 12 }).text(fitting(title, box.right + kMargin));
  }
}

function configure(axis, ticks, format) {
  if (Array.isArray(ticks)) axis.tickValues(ticks);
  else axis.ticks(ticks);
  if (format) axis.tickFormat(format);
}
