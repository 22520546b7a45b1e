// SPDX-License-Identifier: Apache-2.0
//
// The look of a drawing as attributes: rules of drawings.css, with the light colours in them, given to the elements that
// they are for. A picture that carries no style sheet looks the same in every program.

import colours from './colours.css';
import drawings from './drawings.css';

const kAttributes = /^(fill|stroke|opacity|paint-order|font-size|font-weight)/;

/// Selectors are tags and classes, and such of elements around: "line.interval.sure", ".axis .tick line".
export function matches(node, selector) {
  const parts = selector.split(' ');
  if (!isOne(node, parts.pop())) return false;
  let around = node.parentNode;
  while (parts.length > 0 && around?.getAttribute) {
    if (isOne(around, parts[parts.length - 1])) parts.pop();
    around = around.parentNode;
  }
  return parts.length === 0;
}

function isOne(node, part) {
  const [tag, ...classes] = part.split('.');
  const own = (node.getAttribute('class') ?? '').split(' ');
  return (tag === '' || tag === node.localName) && classes.every((name) => own.includes(name));
}

/// [[name, value]] of what stands between the brackets of a rule, or in a style attribute.
const declarations = (text) =>
  [...text.matchAll(/([\w-]+)\s*:\s*([^;]+?)\s*(?:;|$)/g)].map(([, name, value]) => [name, value]);

const light = new Map(declarations(colours.match(/:root\s*\{([^}]*)\}/)[1]));
const resolved = (paint) => paint.replace(/var\((--[\w-]+)\)/g, (_, name) => light.get(name));

/// Classes count more than tags, later rules more than earlier ones.
const weight = (selector) => 100 * selector.split('.').length + selector.split(' ').length;

const rules = [...drawings.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
  .flatMap(([, selectors, body]) => selectors.split(',').map((selector) => ({ selector: selector.trim(), body })))
  .filter(({ selector }) => /^[\w. -]+$/.test(selector))
  .map(({ selector, body }) => ({ selector, look: declarations(body).filter(([name]) => kAttributes.test(name)) }))
  .sort((a, b) => weight(a.selector) - weight(b.selector));

const kOfPages = new Set(['class', 'style', 'tabindex', 'aria-label']);

/// All attributes of an element of a drawing, with what the page's rules and its own style say.
export function attributesWithStyle(node) {
  const out = new Map([...node.attributes].map(({ name, value }) => [name, value]));
  for (const { selector, look } of rules) {
    if (matches(node, selector)) for (const [name, value] of look) out.set(name, value);
  }
  for (const [name, value] of declarations(out.get('style') ?? '')) out.set(name, value);
  for (const name of kOfPages) out.delete(name);
  for (const name of ['fill', 'stroke']) if (out.has(name)) out.set(name, resolved(out.get(name)));
  return out;
}
