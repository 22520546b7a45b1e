// SPDX-License-Identifier: Apache-2.0
//
// The frame of a figure: title, controls, a drawing that is made anew when its width changes (text keeps its size on
// a phone), caption, and the numbers as a table for those who cannot or will not read the drawing.

import { element } from './dom.js';
import { hideTooltip } from './tooltip.js';

/// `draw(width)` gives a node; `numbers()` a node, made when it is first opened. `wide`: both columns of the page.
export function figure({ id, title, wide = false, lead, controls = [], draw, caption, numbers }) {
  const place = element('div', { class: 'drawing' });
  const details = numbers && element('details', {}, element('summary', {}, 'The numbers'));
  details?.addEventListener('toggle', () => details.children.length === 1 && details.append(numbers()));

  const node = element(
    'figure',
    { id, class: wide ? 'wide' : null, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    lead && element('p', { class: 'lead' }, lead),
    controls.length > 0 && element('div', { class: 'controls' }, ...controls),
    place,
    caption && element('figcaption', {}, ...[caption].flat()),
    details,
  );

  let width = 0;
  const redraw = () => {
    hideTooltip();
    if (width > 0) place.replaceChildren(draw(width));
  };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(place);
  return { node, redraw };
}
