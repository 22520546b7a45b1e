// SPDX-License-Identifier: Apache-2.0
//
// What needs no browser: numbers, labels and the order of classes. node --test tests/words_test.mjs

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarOrder } from '../src/class_order.js';
import { estimate, mistakes } from '../src/estimate.js';
import { calibrationVerdict, priorLoss } from '../src/calibration_verdict.js';
import { clear, correction } from '../src/pair_test.js';
import { along, clearPlace } from '../src/line_words.js';
import { framed } from '../src/map_points.js';
import { shortNames } from '../src/short_names.js';
import { percent, powerOfTwo, seconds, shown } from '../src/words.js';
import { wilson } from '../src/wilson.js';

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

test('a nested estimate of a part of the rows is not that of the model', () => {
  const result = { kind: 'fit', n: 20000, cv: { rows: 2000, error: 0.2 }, held_out: { n: 2000, error: 0.2 } };
  assert.equal(estimate({ ...result, nested: { error: 0.5, folds: 10, rows: 2000 } }).share, 0.2);
  assert.equal(estimate({ ...result, nested: { error: 0.5, folds: 10 } }).share, 0.5);
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

test('names of classes that are cut stay different', () => {
  const equalEnds = Array.from({ length: 48 }, (_, i) => `class number ${i + 1} with a long name`);
  const names = shortNames(equalEnds, 18);
  assert.equal(new Set(names).size, 48);
  assert.equal(names[11], 'class number 12…');
  assert.ok(names.every((name) => Array.from(name).length <= 18));
  const far = ['x', 'y'].map((letter) => `${'a'.repeat(40)}${letter}${'b'.repeat(40)}`);
  assert.deepEqual(shortNames(far, 6), ['…aaax…', '…aaay…']);
  const nested = ['aa1', 'aa2', 'bb1', 'bb2'].map((part) => `${'p'.repeat(9)}${part[0].repeat(30)}${part}${'s'.repeat(30)}`);
  assert.equal(new Set(shortNames(nested, 12)).size, 4);
});

test('names of classes that fit are left as they are', () => {
  assert.deepEqual(shortNames(['cat', '', 'a\nb', 'a\tb'], 5), ['cat', '(empty)', 'a␣b', 'a␣b']);
});

test('words along a line stand where no points are', () => {
  const [from, to] = [{ x: 0, y: 300 }, { x: 300, y: 0 }];
  const low = along([{ x: 0, y: 300 }, { x: 120, y: 180 }]).map((at) => ({ ...at, r: 9 }));
  const place = clearPlace(from, to, 90, low);
  assert.ok(place.x > 130);
  assert.ok(clearPlace(from, to, 90, []).x < 30);
  assert.equal(clearPlace(from, to, 90, along([from, to]).map((at) => ({ ...at, r: 20 }))), null);
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

const bin = (confidence, accuracy, rows) => ({ confidence, accuracy, rows });

test('probabilities that are right on average and wrong along the curve are not taken at their word', () => {
  const verdict = calibrationVerdict({ bins: [bin(0.05, 0.25, 100), bin(0.95, 0.75, 100)] });
  assert.equal(verdict.good, false);
  assert.match(plain(verdict.text), /cannot be taken at their word: where it states 5.0 %, it is right on 25.0 % of 100 rows/);
});

test('a curve that chance explains is good, and the rows it stands on are named', () => {
  const verdict = calibrationVerdict({ bins: [bin(0.55, 0.5, 40), bin(0.95, 0.96, 400)], logLoss: 0.2, counts: [[220, 0], [0, 220]] });
  assert.equal(verdict.good, true);
  assert.match(plain(verdict.text), /can be taken at their word, as far as 440 rows can tell/);
});

test('a few rows far off the curve are not called good though chance may explain them', () => {
  const verdict = calibrationVerdict({ bins: [bin(0.5, 0.2, 5), bin(0.9, 0.7, 10)] });
  assert.equal(verdict.good, false);
  assert.match(verdict.text, /15 rows are too few/);
});

test('a verdict names no bin of a few rows', () => {
  const few = bin(0.737, 0, 3);
  const good = calibrationVerdict({ bins: [few, bin(0.95, 0.95, 200)] });
  assert.equal(good.good, true);
  assert.match(good.text, /no part of the curve with 10 rows or more is off/);
  const { text } = calibrationVerdict({ bins: [few, bin(0.9, 0.6, 80)] });
  assert.match(plain(text), /where it states 90.0 %, it is right on 60.0 % of 80 rows\.$/);
});

test('a log loss above that of the shares of the classes is said first', () => {
  const counts = [[30, 10], [10, 50]];
  assert.ok(Math.abs(priorLoss(counts) + 0.4 * Math.log(0.4) + 0.6 * Math.log(0.6)) < 1e-12);
  const verdict = calibrationVerdict({ bins: [bin(0.9, 0.88, 100)], logLoss: 1.79, counts });
  assert.equal(verdict.good, false);
  assert.match(verdict.text, /worse than none: .* 0\.67, these have 1\.79/);
});

test('a model that is too sure or too modest is said to be so', () => {
  assert.match(calibrationVerdict({ bins: [bin(0.95, 0.6, 200), bin(0.6, 0.59, 50)] }).text, /^The model is too sure/);
  assert.match(calibrationVerdict({ bins: [bin(0.6, 0.95, 200)] }).text, /^The model is too modest/);
});

test('a map is not squeezed to a spot by a few rows far outside', () => {
  const points = Array.from({ length: 100 }, (_, i) => ({ x: i, y: i % 7 }));
  points.push({ x: 1e6, y: 3 });
  const map = framed(points);
  assert.equal(map.beyond, 1);
  assert.ok(map.frames.x[1] < 300);
  assert.equal(map.points[100].x, map.frames.x[1]);
  assert.equal(framed(points.slice(0, 100)).beyond, 0);
});

test('halvings that differ too much among themselves show no difference, the same one on all parts does', () => {
  assert.equal(clear({ holm_p: 0.01, low: null, high: null, statistic: 9.1 }), false);
  assert.equal(clear({ holm_p: 0, low: null, high: null, statistic: null }), true); // infinite in JSON
  assert.equal(clear({ holm_p: 0.01, low: 0.1, high: 0.3, statistic: 9.1 }), true);
});

test('p values of a pair that stands alone are corrected for nothing', () => {
  const pair = { p: 0.01, holm_p: 0.01 };
  assert.equal(correction([pair], 1), '');
  assert.equal(correction([pair, pair], 1), ', corrected by Holm for all 2 pairs');
  assert.equal(correction([pair, pair], 2), ', corrected by Holm for all 2 pairs of all 2 tables together');
});
