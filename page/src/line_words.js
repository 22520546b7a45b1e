// SPDX-License-Identifier: Apache-2.0
//
// Words along a line, where nothing is drawn.

const kAbove = 7; // pixels from the line to the foot of words above it
const kBelow = 18; // and below it
const kHalf = 4; // height of a small letter, halved
const kEnough = 24; // pixels between words and a point
const kLeast = 4; // under it words are left out: they would be crossed
const kSteps = 12;

const between = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

/// Points along a polyline, each with `r` 0.
export const along = (points) =>
  points.slice(1).flatMap((end, i) =>
    Array.from({ length: kSteps }, (_, k) => ({ ...between(points[i], end, k / kSteps), r: 0 })),
  );

/// {x, y}: the start of words of `length` pixels along the line from `from` to `to`, above or below it: the first one
/// far enough from all `obstacles` {x, y, r}, or else the furthest. Null where there is none, or the line is shorter
/// than the words.
export function clearPlace(from, to, length, obstacles) {
  const whole = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / whole, (to.y - from.y) / whole];
  let best = null;
  let most = kLeast;
  for (const side of [-kAbove, kBelow]) {
    for (let start = 0.06 * whole; start + length < 0.97 * whole; start += 0.04 * whole) {
      const foot = { x: from.x + start * dx, y: from.y + start * dy + side };
      const middle = { x: foot.x, y: foot.y - kHalf };
      const letters = along([middle, { x: middle.x + length * dx, y: middle.y + length * dy }]);
      const gaps = obstacles.flatMap((o) => letters.map((at) => Math.hypot(at.x - o.x, at.y - o.y) - o.r));
      const clear = Math.min(...gaps, kEnough);
      if (clear > most) [best, most] = [foot, clear];
    }
  }
  return best;
}
