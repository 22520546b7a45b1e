// SPDX-License-Identifier: Apache-2.0
//
// Axes in one look for all figures: faint grid lines, no frame.

import { axisBottom, axisLeft } from 'd3-axis';

/// `format` of a tick; `title` under (or, for y, above) the axis.
export function xAxis(svg, scale, box, { ticks = 5, format, title, grid = true } = {}) {
  const axis = axisBottom(scale).tickSizeInner(grid ? -(box.bottom - box.top) : 4).tickSizeOuter(0).tickPadding(8);
  configure(axis, ticks, format);
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.bottom})`).call(axis);
  if (title) {
    svg.append('text').attr('class', 'axis-title').attr('x', (box.left + box.right) / 2).attr('y', box.bottom + 38)
      .attr('text-anchor', 'middle').text(title);
  }
}

export function yAxis(svg, scale, box, { ticks = 5, format, title, grid = true } = {}) {
  const axis = axisLeft(scale).tickSizeInner(grid ? -(box.right - box.left) : 4).tickSizeOuter(0).tickPadding(8);
  configure(axis, ticks, format);
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${box.left},0)`).call(axis);
  if (title) {
    svg.append('text').attr('class', 'axis-title').attr('x', 0).attr('y', box.top - 12).text(title);
  }
}

function configure(axis, ticks, format) {
  if (Array.isArray(ticks)) axis.tickValues(ticks);
  else axis.ticks(ticks);
  if (format) axis.tickFormat(format);
}
