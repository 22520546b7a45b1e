// SPDX-License-Identifier: Apache-2.0
//
// Colour and shape of each class. Twelve colours (page.css, --class-0 …), the shape changes every six: colours that
// look alike to some eyes have different shapes, and 108 classes are told apart.

import {
  symbol,
  symbolAsterisk,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTimes,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { create } from 'd3-selection';
import { add } from './drawing.js';

export const kColours = 12;
const kPerShape = 6;
const kShapes = [
  symbolCircle,
  symbolTriangle,
  symbolSquare,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
  symbolTimes,
  symbolAsterisk,
];
const kStroked = new Set([symbolTimes, symbolAsterisk]);

const shapeOf = (index) => kShapes[Math.floor(index / kPerShape) % kShapes.length];

export const classColour = (index) => `var(--class-${index % kColours})`;

/// A path with the mark of a class around (0, 0), `area` in square pixels.
export function classMark(selection, index, area = 40) {
  const shape = shapeOf(index);
  const path = add(selection, 'path', { d: symbol(shape, kStroked.has(shape) ? area / 2 : area)() });
  return kStroked.has(shape)
    ? path.attr('fill', 'none').attr('stroke', classColour(index)).attr('stroke-width', 1.6)
    : path.attr('fill', classColour(index));
}

/// The mark as a small drawing of its own, for legends.
export function markDrawing(index) {
  const svg = create('svg:svg')
    .attr('viewBox', '-8 -8 16 16')
    .attr('width', 14)
    .attr('height', 14)
    .attr('class', 'mark')
    .attr('aria-hidden', 'true');
  classMark(svg, index, 80);
  return svg.node();
}
