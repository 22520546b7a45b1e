// SPDX-License-Identifier: Apache-2.0
//
// Light or dark: as the system says until the button is used. Not remembered: a file has no storage of its own.

import { element } from './dom.js';

export function themeButton() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let picked = null;
  const button = element('button', {
    type: 'button',
    class: 'theme',
    onclick: () => {
      picked = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
      apply();
    },
  });
  const apply = () => {
    const theme = picked ?? (system.matches ? 'dark' : 'light');
    const other = theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    button.textContent = other === 'dark' ? 'Dark' : 'Light';
    button.setAttribute('aria-label', `Switch to ${other} colours`);
  };
  system.addEventListener('change', apply);
  apply();
  return button;
}
