// SPDX-License-Identifier: Apache-2.0
//
// Time of each machine on each set; machines differ by factors, so the axis is logarithmic.

import { extent } from 'd3-array';
import { scaleLog } from 'd3-scale';
import { xAxis } from './axes.js';
import { classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { table } from './table.js';
import { seconds, shown } from './words.js';

function draw(width, names, times, label) {
  const box = { left: Math.min(130, 0.32 * width), right: width - 16, top: 8, bottom: 8 + names.length * 34 };
  const svg = drawing(width, box.bottom + 30, label);
  const [low, high] = extent(times, (t) => t.seconds);
  const x = scaleLog([low / 1.3, high * 1.3], [box.left, box.right]);
  // A tick for each power of ten, or for 1, 2 and 5 where there are few.
  const decades = Math.log10(high / low) > 1.5;
  const ticks = [];
  for (let e = Math.floor(Math.log10(low)) - 1; e <= Math.ceil(Math.log10(high)); e += 1) {
    for (const m of decades ? [1] : [1, 2, 5]) ticks.push(m * 10 ** e);
  }
  xAxis(svg, x, box, { ticks: ticks.filter((t) => t >= x.domain()[0] && t <= x.domain()[1]), format: shortSeconds });
  const items = [];
  names.forEach((name, row) => {
    const y = box.top + 34 * row + 17;
    add(svg, 'text', { class: 'tick', x: box.left - 12, y, dy: '0.35em', 'text-anchor': 'end' }).text(
      shown(name, Math.floor((box.left - 12) / 7.6)),
    );
    for (const t of times.filter((one) => one.name === name)) {
      classMark(svg, t.index, 80).attr('transform', `translate(${x(t.seconds)},${y})`);
      items.push({ x: x(t.seconds), y, lines: [`${shown(name)} on ${shown(t.set)}`, seconds(t.seconds)] });
    }
  });
  return { svg: svg.node(), items };
}

const shortSeconds = (s) => (s < 1 ? `${Number((1000 * s).toPrecision(2))} ms` : `${Number(s.toPrecision(2))} s`);

export function machineTimes(result) {
  const sets = result.sets ?? [];
  const times = sets.flatMap((set, index) =>
    set.machines.filter((m) => m.seconds > 0).map((m) => ({ set: set.name, index, name: m.name, seconds: m.seconds })),
  );
  if (times.length === 0) return null;
  const names = [...new Set(times.map((t) => t.name))];
  const label = `Time: ${times
    .slice(0, 40)
    .map((t) => `${shown(t.name)} on ${shown(t.set)} ${seconds(t.seconds)}`)
    .join('; ')}`;
  return {
    id: 'times',
    title: 'Time of each machine',
    lead: result.seconds?.total ? `The whole comparison took ${seconds(result.seconds.total)}.` : null,
    draw: (width) => draw(width, names, times, label),
    legend: sets.length > 1 ? { entries: sets.map((set, index) => ({ index, text: shown(set.name, 40) })) } : null,
    caption:
      'To search settings, fit and test, all splits together. The axis is logarithmic: equal steps are equal factors.',
    numbers: () =>
      table({
        label: 'Times',
        rows: times,
        sortable: true,
        columns: [
          { title: 'Machine', text: (t) => shown(t.name, 80) },
          { title: 'Set', text: (t) => shown(t.set, 80) },
          { title: 'Time', text: (t) => seconds(t.seconds), value: (t) => t.seconds },
        ],
      }),
  };
}
