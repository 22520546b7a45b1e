// SPDX-License-Identifier: Apache-2.0
//
// Elements of the page. Text goes in as text nodes only: labels come from users' tables and may hold markup.

/// element('p', { class: 'note' }, 'text', child, …); `on…` options are listeners, null children are left out.
export function element(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value == null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.replace(/^on/, ''), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

export const strong = (...children) => element('strong', {}, ...children);

/// Buttons of which one is pressed, as a row: choices [{name, text}].
export function switcher(label, choices, chosen, choose) {
  const buttons = choices.map(({ name, text }) =>
    element(
      'button',
      {
        type: 'button',
        'aria-pressed': String(name === chosen),
        onclick: () => {
          for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.name === name));
          choose(name);
        },
        'data-name': name,
      },
      text,
    ),
  );
  return element('div', { class: 'switcher', role: 'group', 'aria-label': label }, ...buttons);
}
