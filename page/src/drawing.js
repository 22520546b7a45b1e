// SPDX-License-Identifier: Apache-2.0
//
// Drawings: an empty one, and shapes in it.

import { create } from 'd3-selection';

/// An empty drawing; `label` says in words what it shows.
export function drawing(width, height, label) {
  const svg = create('svg:svg');
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
    svg.attr(name, value);
  return svg.attr('role', 'img').attr('aria-label', label);
}

/// Adds a shape with its attributes to a selection, and gives it.
export function add(parent, tag, attributes) {
  const shape = parent.append(tag);
  for (const [name, value] of Object.entries(attributes)) shape.attr(name, value);
  return shape;
}
