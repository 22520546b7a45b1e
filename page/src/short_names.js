// SPDX-License-Identifier: Apache-2.0
//
// Names of classes that have to be cut, and must be told apart even then.

import { group, max, min } from 'd3-array';
import { shown } from './words.js';

/// Characters at the start that all texts share.
function sharedHead(texts) {
  const most = min(texts, (text) => text.length);
  let n = 0;
  while (n < most && texts.every((text) => text[n] === texts[0][n])) n += 1;
  return n;
}

/// Labels of at most `length` characters each. Those that would be cut to the same text show where they differ, with as
/// much of what stands before as there is room for: "class number 12 with …" is cut to "class number 12…".
export function shortNames(labels, length) {
  const out = labels.map((label) => shown(label, length));
  for (const places of group(labels.keys(), (i) => out[i]).values()) {
    if (places.length < 2) continue;
    const parts = differing(
      places.map((i) => labels[i]),
      length,
    );
    places.forEach((i, k) => {
      out[i] = parts[k];
    });
  }
  return out;
}

function differing(labels, length) {
  const texts = labels.map((label) => Array.from(String(label)));
  const head = sharedHead(texts);
  const tail = sharedHead(texts.map((text) => text.slice(head).reverse()));
  const longest = max(texts, (text) => text.length) - head - tail;
  // Without a part to leave out they differ in nothing that can be shown.
  if (head + tail === 0 || head + tail + longest <= length) return labels.map((label) => shown(label, length));
  const from = Math.max(0, head - Math.max(0, length - 2 - longest));
  const [before, after] = [from > 0 ? '…' : '', tail > 0 ? '…' : ''];
  const middles = texts.map((text) => text.slice(from, text.length - tail).join(''));
  return shortNames(middles, length - before.length - after.length).map((text) => before + text + after);
}
