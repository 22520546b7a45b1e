// SPDX-License-Identifier: Apache-2.0
//
// The frame of a figure: title, controls, a drawing that is made anew when its width changes (text keeps its size on
// a phone), legend, caption, the drawing as a file, and the numbers as a table for those who cannot or will not read it.

import { legendOf } from './class_legend.js';
import { element, switcher } from './dom.js';
import { explore } from './explore.js';
import { svgFile } from './svg_file.js';
import { hideTooltip } from './tooltip.js';

function save(described) {
  const address = URL.createObjectURL(new Blob([svgFile(described)], { type: 'image/svg+xml' }));
  element('a', { href: address, download: `${described.id}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may ask first where to put it
}

/// A figure is described by what its drawing needs, so that svg_file.js can draw it without a page:
///   id, title, wide (both columns of the page), lead, caption
///   draw(width) -> {svg, items, reach}: a drawing, and what explore() can ask it
///   scroll      the drawing may be wider than that
///   legend      {entries: [{index of its mark, text, full}], muted: a set of indices, where pressing one mutes it}
///   switches    [{label, choices, chosen, choose}]; check: {text, choose}
///   numbers()   a node, made when it is first opened
export function figure(described) {
  const { id, title, wide, lead, switches = [], check, draw, scroll, legend, caption, numbers } = described;
  const place = element('div', { class: 'drawing' });
  const details = numbers && element('details', {}, element('summary', {}, 'The numbers'));
  details?.addEventListener('toggle', () => details.children.length === 1 && details.append(numbers()));

  let width = 0;
  const redraw = () => {
    hideTooltip();
    if (width === 0) return;
    const { svg, items, reach } = draw(width);
    if (items.length > 0) explore(svg, items, reach);
    place.replaceChildren(scroll ? element('div', { class: 'scroll centred' }, svg) : svg);
  };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(place);

  const changed = (choose) => (value) => {
    choose(value);
    redraw();
  };
  const controls = switches.map((s) => switcher(s.label, s.choices, s.chosen, changed(s.choose)));
  if (check) {
    const tick = changed(check.choose);
    const box = element('input', { type: 'checkbox', onchange: () => tick(box.checked) });
    controls.push(element('label', { class: 'check' }, box, check.text));
  }
  return element(
    'figure',
    { id, class: wide ? 'wide' : null, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title),
    lead && element('p', { class: 'lead' }, lead),
    controls.length > 0 && element('div', { class: 'controls' }, ...controls),
    place,
    legend && legendOf(legend, redraw),
    caption && element('figcaption', {}, caption),
    element(
      'button',
      { type: 'button', class: 'save', 'aria-label': `Save “${title}” as SVG`, onclick: () => save(described) },
      'Save as SVG',
    ),
    details,
  );
}
