// SPDX-License-Identifier: Apache-2.0
//
// A legend of classes; a click mutes a class or brings it back.

import { element } from './dom.js';
import { markDrawing } from './class_marks.js';
import { shortNames } from './short_names.js';
import { shown } from './words.js';

/// `changed(muted)` is called with the set of muted positions. `which`: the positions to list.
export function classLegend(labels, which, changed) {
  const muted = new Set();
  const names = shortNames(
    which.map((index) => labels[index]),
    24,
  );
  const buttons = which.map((index, k) =>
    element(
      'button',
      {
        type: 'button',
        'aria-pressed': 'true',
        title: shown(labels[index], 200),
        onclick: () => {
          if (!muted.delete(index)) muted.add(index);
          tell();
        },
      },
      markDrawing(index),
      element('span', {}, names[k]),
    ),
  );
  const tell = () => {
    buttons.forEach((button, k) => button.setAttribute('aria-pressed', String(!muted.has(which[k]))));
    changed(muted);
  };
  const all = element(
    'button',
    {
      type: 'button',
      class: 'all',
      onclick: () => {
        if (muted.size > 0) muted.clear();
        else which.forEach((index) => muted.add(index));
        tell();
      },
    },
    'all / none',
  );
  return element(
    'div',
    { class: 'legend', role: 'group', 'aria-label': 'Classes; press to mute' },
    ...buttons,
    which.length > 2 && all,
  );
}
