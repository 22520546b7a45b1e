// SPDX-License-Identifier: Apache-2.0
//
// Points of a map: which are mistakes, and the part of an axis that is worth showing.

import { extent, quantileSorted } from 'd3-array';

export const wrong = (point) => point.predicted != null && point.predicted !== point.label;

const kFar = 0.6; // widths of the middle nine tenths beyond which a point would squeeze all others

/// The ends of an axis: all values, unless a few lie so far out that the rest would be one spot.
export function frameOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = extent(sorted);
  const [from, to] = [quantileSorted(sorted, 0.05), quantileSorted(sorted, 0.95)];
  const reach = kFar * (to - from);
  const ends = reach > 0 ? [Math.max(low, from - reach), Math.min(high, to + reach)] : [low, high];
  const pad = 0.04 * (ends[1] - ends[0] || 1);
  return [ends[0] - pad, ends[1] + pad];
}

const inside = (value, [low, high]) => Math.min(high, Math.max(low, value));

/// {points, frames, beyond}: points outside the frames are put on their edge, and counted.
export function framed(points) {
  const frames = { x: frameOf(points.map((p) => p.x)), y: frameOf(points.map((p) => p.y)) };
  let beyond = 0;
  const moved = points.map((point) => {
    const at = { x: inside(point.x, frames.x), y: inside(point.y, frames.y) };
    if (at.x !== point.x || at.y !== point.y) beyond += 1;
    return { ...point, ...at };
  });
  return { points: moved, frames, beyond };
}
