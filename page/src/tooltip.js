// SPDX-License-Identifier: Apache-2.0
//
// One small box for all figures, beside what is pointed at or focused.

import { element } from './dom.js';

const box = element('div', { class: 'tooltip', role: 'tooltip', id: 'tooltip', hidden: true });
const spoken = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });

export const installTooltip = () => document.body.append(box, spoken);

/// `lines`: the first is the title. `at`: a rectangle on the screen. `speak`: read it out (it came by the keyboard).
export function showTooltip(lines, at, speak = false) {
  box.replaceChildren(...lines.map((line) => element('div', {}, line)));
  box.hidden = false;
  const size = box.getBoundingClientRect();
  const middle = (at.left + at.right) / 2 - size.width / 2;
  const left = Math.max(8, Math.min(middle, document.documentElement.clientWidth - size.width - 8));
  const above = at.top - size.height - 10;
  box.style.left = `${left}px`;
  box.style.top = `${above > 8 ? above : at.bottom + 10}px`;
  if (speak) spoken.textContent = lines.join('. ');
}

export function hideTooltip() {
  box.hidden = true;
}
