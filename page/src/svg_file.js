// SPDX-License-Identifier: Apache-2.0
//
// A figure as an SVG file of its own, for papers and slides: its drawing in the light colours with title, legend and a
// white ground, no fonts or files beside it. The page and `manyone report --svg` write the same.

import { classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { attributesWithStyle } from './svg_styles.js';
import { shown } from './words.js';

const kWidth = 640; // of a drawing; for those of both columns of the page:
const kWideWidth = 900;
const kEdge = 18;
const kTitle = 34; // pixels of the line of the title
const kLine = 24; // of a line of the legend
const kLetter = 7.4; // pixels of a letter, on the wide side

const kMarkup = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/// Text and attributes come from users' tables. What XML cannot hold, even escaped, is shown to have been there.
const escaped = (text) =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => kMarkup[character]);

function written(node) {
  if (node.nodeType === 3) return escaped(node.data);
  const attributes = [...attributesWithStyle(node)].map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const inside = [...node.childNodes].map(written).join('');
  if (node.localName === 'svg') attributes.unshift(` xmlns="${node.namespaceURI}"`);
  return `<${node.localName}${attributes.join('')}${inside ? `>${inside}</${node.localName}>\n` : '/>\n'}`;
}

/// Places of the entries, line by line.
function legendPlaces(entries, width) {
  let [x, y] = [0, 0];
  return entries.map((entry) => {
    const room = 34 + kLetter * Array.from(entry.text).length;
    if (x > 0 && x + room > width) [x, y] = [0, y + kLine];
    x += room;
    return { ...entry, x: x - room, y };
  });
}

/// `described`: as figure() in figure.js takes it. `whole`: all that there is to draw, where a page shows a part.
export function svgFile(described, whole = false) {
  const inner = described.draw(described.wide ? kWideWidth : kWidth, whole).svg;
  const [width, height] = ['width', 'height'].map((name) => Number(inner.getAttribute(name)));
  const { entries = [], muted } = described.legend ?? {};
  const legend = legendPlaces(
    entries.filter((entry) => !muted?.has(entry.index)),
    width,
  );
  const below = legend.length > 0 ? legend[legend.length - 1].y + kLine + 8 : 0;
  const svg = drawing(width + 2 * kEdge, height + kTitle + below + 2 * kEdge, '').attr('font-family', 'sans-serif');
  add(svg, 'title', {}).text(described.title);
  add(svg, 'desc', {}).text(inner.getAttribute('aria-label'));
  add(svg, 'rect', { width: '100%', height: '100%', fill: 'var(--card)' });
  add(svg, 'text', { class: 'heading', x: kEdge, y: kEdge + 14 }).text(shown(described.title, Math.floor(width / 10)));
  const middle = add(svg, 'g', { transform: `translate(${kEdge},${kEdge + kTitle})` });
  middle.attr('class', inner.getAttribute('class'));
  for (const child of [...inner.childNodes]) middle.node().appendChild(child);
  for (const { index, text, x, y } of legend) {
    const at = add(svg, 'g', { transform: `translate(${kEdge + x},${kEdge + kTitle + height + 8 + y})` });
    classMark(at, index, 80).attr('transform', 'translate(8,12)');
    add(at, 'text', { x: 21, y: 16.5 }).text(text);
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(svg.node())}`;
}
