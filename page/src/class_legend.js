// SPDX-License-Identifier: Apache-2.0
//
// A legend of marks and names; where there is a set of muted ones, a click mutes a class or brings it back.

import { element } from './dom.js';
import { markDrawing } from './class_marks.js';
import { shortNames } from './short_names.js';
import { shown } from './words.js';

/// Entries for the classes at the positions `which`.
export function classEntries(labels, which) {
  const names = shortNames(
    which.map((index) => labels[index]),
    24,
  );
  return which.map((index, k) => ({ index, text: names[k], full: shown(labels[index], 200) }));
}

export function legendOf({ entries, muted }, changed) {
  if (!muted) {
    const marked = entries.map(({ index, text }) => element('span', {}, markDrawing(index), text));
    return element('div', { class: 'legend still' }, ...marked);
  }
  const buttons = entries.map(({ index, text, full }) =>
    element(
      'button',
      {
        type: 'button',
        'aria-pressed': 'true',
        title: full,
        onclick: () => {
          if (!muted.delete(index)) muted.add(index);
          tell();
        },
      },
      markDrawing(index),
      element('span', {}, text),
    ),
  );
  const tell = () => {
    buttons.forEach((button, k) => button.setAttribute('aria-pressed', String(!muted.has(entries[k].index))));
    changed();
  };
  const all = element(
    'button',
    {
      type: 'button',
      class: 'all',
      onclick: () => {
        if (muted.size > 0) muted.clear();
        else entries.forEach(({ index }) => muted.add(index));
        tell();
      },
    },
    'all / none',
  );
  return element(
    'div',
    { class: 'legend', role: 'group', 'aria-label': 'Classes; press to mute' },
    ...buttons,
    entries.length > 2 && all,
  );
}
