// SPDX-License-Identifier: Apache-2.0
//
// Looking at the items of a drawing: by pointer, touch, or arrow keys once the drawing has the focus. One way for all
// figures, so that ten thousand cells need one stop of the Tab key and no listener each.

import { select } from 'd3-selection';
import { hideTooltip, showTooltip } from './tooltip.js';

const kReach = 22; // pixels from a point at which it is meant

const kArrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function distance(item, x, y) {
  const dx = Math.max(0, Math.abs(x - item.x) - (item.width ?? 0) / 2);
  const dy = Math.max(0, Math.abs(y - item.y) - (item.height ?? 0) / 2);
  return Math.hypot(dx, dy);
}

function nearest(items, x, y, reach) {
  let best = null;
  let least = reach;
  let centre = Infinity;
  for (const item of items) {
    const d = distance(item, x, y);
    if (d > least) continue;
    const c = Math.hypot(item.x - x, item.y - y);
    // Among boxes that hold the pointer the one with the nearest middle.
    if (d < least || c < centre) [best, least, centre] = [item, d, c];
  }
  return best;
}

/// The next item in a direction; what lies aside counts double, so that rows and columns are followed.
function neighbour(items, from, [ux, uy]) {
  let best = null;
  let least = Infinity;
  for (const item of items) {
    const along = (item.x - from.x) * ux + (item.y - from.y) * uy;
    if (along < 0.5) continue;
    const cost = along + 2 * Math.abs((item.x - from.x) * uy - (item.y - from.y) * ux);
    if (cost < least) [best, least] = [item, cost];
  }
  return best;
}

/// items [{x, y, lines, width?, height?}] in the coordinates of the drawing, or a function that gives them.
export function explore(svg, items, reach = kReach) {
  const all = () => (typeof items === 'function' ? items() : items);
  const cursor = select(svg).append('rect').attr('class', 'cursor').attr('rx', 3).attr('visibility', 'hidden');
  let current = null;

  const onScreen = (item) => {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / svg.viewBox.baseVal.width;
    const w = ((item.width ?? 8) / 2) * scale;
    const h = ((item.height ?? 8) / 2) * scale;
    const x = frame.left + item.x * scale;
    const y = frame.top + item.y * scale;
    return { left: x - w, right: x + w, top: y - h, bottom: y + h };
  };
  const leave = () => {
    current = null;
    cursor.attr('visibility', 'hidden');
    hideTooltip();
  };
  const look = (item, speak) => {
    if (!item) return leave();
    if (item === current) return;
    current = item;
    const width = (item.width ?? 14) + 2;
    const height = (item.height ?? 14) + 2;
    cursor
      .raise()
      .attr('visibility', null)
      .attr('x', item.x - width / 2)
      .attr('y', item.y - height / 2)
      .attr('width', width)
      .attr('height', height);
    showTooltip(item.lines, onScreen(item), speak);
  };
  const point = (event) => {
    const frame = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / frame.width;
    look(nearest(all(), (event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale, reach), false);
  };

  svg.setAttribute('tabindex', '0');
  svg.addEventListener('pointermove', point);
  svg.addEventListener('pointerdown', point);
  svg.addEventListener('pointerleave', leave);
  svg.addEventListener('blur', leave);
  svg.addEventListener('focus', () => {
    if (svg.matches(':focus-visible') && !current) look(all()[0], true);
  });
  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return leave();
    const arrow = kArrows[event.key];
    if (!arrow) return undefined;
    event.preventDefault();
    return look(current ? (neighbour(all(), current, arrow) ?? current) : all()[0], true);
  });
}
