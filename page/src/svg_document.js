// SPDX-License-Identifier: Apache-2.0
//
// Where there is no browser: as much of a document as the drawings ask for. Elements of SVG with attributes, children
// and text, found by simple selectors.

import { matches } from './svg_styles.js';

class SvgElement {
  nodeType = 1;
  namespaceURI = 'http://www.w3.org/2000/svg';
  childNodes = [];
  parentNode = null;
  #values = new Map();

  constructor(document, tag) {
    this.ownerDocument = document;
    this.localName = tag;
  }

  get attributes() {
    return [...this.#values].map(([name, value]) => ({ name, value }));
  }
  getAttribute(name) {
    return this.#values.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.#values.set(name, String(value));
  }
  removeAttribute(name) {
    this.#values.delete(name);
  }
  get style() {
    const before = this.getAttribute('style') ?? '';
    return { setProperty: (name, value) => this.setAttribute('style', `${before}${name}: ${value};`) };
  }
  set textContent(text) {
    this.childNodes = [{ nodeType: 3, data: String(text), parentNode: this }];
  }

  appendChild(child) {
    return this.insertBefore(child, null);
  }
  insertBefore(child, next) {
    child.parentNode?.removeChild(child);
    child.parentNode = this;
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    return child;
  }
  removeChild(child) {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
  }
  /// Of two children of one element, which is all that is asked: 4 says that the other one follows.
  compareDocumentPosition(other) {
    const all = this.parentNode.childNodes;
    return all.indexOf(other) > all.indexOf(this) ? 4 : 2;
  }

  querySelectorAll(selector) {
    return this.childNodes
      .filter((child) => child.nodeType === 1)
      .flatMap((child) => [...(matches(child, selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

export function svgDocument() {
  const document = { createElementNS: (space, tag) => new SvgElement(document, tag) };
  document.documentElement = document.createElementNS('', 'svg');
  return document;
}
