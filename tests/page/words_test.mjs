// SPDX-License-Identifier: Apache-2.0
//
// What needs no browser: numbers, labels and the order of classes. node --test words_test.mjs

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarOrder } from '../../src/manyone/report/page/class_order.js';
import { mistakes } from '../../src/manyone/report/page/estimate.js';
import { percent, powerOfTwo, seconds, shown } from '../../src/manyone/report/page/words.js';
import { wilson } from '../../src/manyone/report/page/wilson.js';

const plain = (text) => text.replace(/\u202f/g, ' ');

test('a share keeps a digit that is not zero, and only one is 100 %', () => {
  assert.equal(plain(percent(23 / 528)), '4.4 %');
  assert.equal(plain(percent(0.00021)), '0.021 %');
  assert.equal(plain(percent(0.9999)), '99.99 %');
  assert.equal(plain(percent(1)), '100 %');
  assert.equal(plain(percent(0)), '0 %');
  assert.equal(percent(null), '–');
});

test('times and powers read as a person writes them', () => {
  assert.equal(plain(seconds(0.912)), '912 ms');
  assert.equal(plain(seconds(200)), '3 min 20 s');
  assert.equal(powerOfTwo(-10), '2⁻¹⁰');
  assert.equal(powerOfTwo(0.5), '2⁰·⁵');
});

test('Wilson: 10 of 100, and the ends', () => {
  // (0.1 + z²/200) / (1 + z²/100) ± …, by hand with z = 1.96
  const { low, high } = wilson(0.1, 100);
  assert.ok(Math.abs(low - 0.0552) < 1e-4 && Math.abs(high - 0.1744) < 1e-4);
  assert.equal(wilson(0, 50).low, 0);
  assert.ok(wilson(0, 50).high > 0.05);
  assert.equal(wilson(1, 50).high, 1);
});

test('labels are never empty, stay on a line, are cut in the middle and keep to their direction', () => {
  assert.equal(shown(''), '(empty)');
  assert.equal(shown('   '), '(blank)');
  assert.equal(shown('a\nb'), 'a␣b');
  assert.equal(Array.from(shown('x'.repeat(500), 20)).length, 20);
  assert.equal(shown('abcdef', 4), 'ab…f');
  assert.equal(shown('שלום'), '\u2068שלום\u2069');
  assert.equal(shown('😀😀😀😀😀', 3), '😀…😀');
});

test('classes that are confused become neighbours', () => {
  // 0 with 3, 1 with 2; 4 with nothing
  const counts = [
    [9, 0, 0, 3, 0],
    [0, 9, 2, 0, 0],
    [0, 1, 9, 0, 0],
    [2, 0, 0, 9, 0],
    [0, 0, 0, 0, 9],
  ];
  const order = similarOrder(counts);
  assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4]);
  assert.equal(Math.abs(order.indexOf(0) - order.indexOf(3)), 1);
  assert.equal(Math.abs(order.indexOf(1) - order.indexOf(2)), 1);
});

test('classes that are never confused stay as given', () => {
  const counts = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 5 : 0)));
  assert.deepEqual(similarOrder(counts), [0, 1, 2]);
});

test('mistakes come most frequent first', () => {
  const found = mistakes({
    labels: ['a', 'b'],
    counts: [
      [5, 1],
      [4, 6],
    ],
  });
  assert.deepEqual(
    found.map((m) => [m.label, m.given, m.rows, m.of]),
    [
      ['b', 'a', 4, 10],
      ['a', 'b', 1, 6],
    ],
  );
});
