// SPDX-License-Identifier: Apache-2.0
//
// Numbers and labels in words.

const kNarrow = '\u202f'; // narrow space that does not break, between a number and its unit

/// 0.0436 -> "4.4 %"; small shares keep a digit that is not zero, and only 1 is 100 %.
export function percent(share) {
  if (share == null) return '–';
  const value = 100 * share;
  const size = Math.abs(value);
  let digits = 1;
  if (size === 0 || size === 100) digits = 0;
  else if (size < 0.095) digits = Math.min(6, 1 - Math.floor(Math.log10(size)));
  else if (size > 99.94 && size < 100) digits = 2;
  return `${minus(value.toFixed(digits))}${kNarrow}%`;
}

/// For ticks: no digits that are the same on all of them.
export const tickPercent = (share) => `${minus(String(Number((100 * share).toFixed(3))))}${kNarrow}%`;

export const minus = (text) => text.replace(/^-/, '−');

/// A difference of shares in percentage points, with its sign.
export function points(difference) {
  const value = 100 * difference;
  return `${value > 0 ? '+' : ''}${minus(value.toFixed(Math.abs(value) < 0.095 && value !== 0 ? 2 : 1))}`;
}

export const count = (n) => n.toLocaleString('en-GB');
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
export const times = (n) => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`);

export const number = (x) => (x == null ? '–' : minus(String(Number(x.toPrecision(4)))));

export function pValue(p) {
  if (p == null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2);
}

export function seconds(s) {
  if (s == null) return '–';
  if (s < 0.001) return `under 1${kNarrow}ms`;
  if (s < 1) return `${Math.round(1000 * s)}${kNarrow}ms`;
  if (s < 120) return `${s.toFixed(s < 10 ? 2 : 1)}${kNarrow}s`;
  if (s < 7200) return `${Math.floor(s / 60)}${kNarrow}min ${Math.round(s % 60)}${kNarrow}s`;
  return `${(s / 3600).toFixed(1)}${kNarrow}h`;
}

const kSuperscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/// An exponent of two as text: -3 -> "2⁻³".
export function powerOfTwo(exponent) {
  const rounded = Math.round(100 * exponent) / 100;
  const digits = [...String(Math.abs(rounded))].map((c) => (c === '.' ? '·' : kSuperscripts[Number(c)])).join('');
  return `2${rounded < 0 ? '⁻' : ''}${digits}`;
}

const kRightToLeft = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/// A label as it can stand in a line of text: never empty, on one line, at most `length` characters (cut in the
/// middle, as the ends of long labels are what differs), and unable to turn the direction of the text around it.
export function shown(label, length = 60) {
  let text = String(label ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '␣');
  if (text === '') return '(empty)';
  if (text.trim() === '') return '(blank)';
  const characters = Array.from(text);
  if (characters.length > length) {
    const head = Math.ceil((length - 1) / 2);
    const tail = Math.floor((length - 1) / 2);
    text = `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
  }
  return kRightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

export const quoted = (label, length = 60) => `‘${shown(label, length)}’`;

/// "a, b and c"
export function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}
