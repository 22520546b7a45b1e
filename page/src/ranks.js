// SPDX-License-Identifier: Apache-2.0
//
// Mean ranks over the sets with the critical difference (Demšar 2006): machines joined by a bar do not differ clearly.

import { scaleLinear } from 'd3-scale';
import { add, drawing } from './drawing.js';
import { table } from './table.js';
import { pValue, shown } from './words.js';

/// The longest runs of machines, best first, whose ranks lie within the critical difference.
function groups(order, difference) {
  const out = [];
  order.forEach((machine, start) => {
    let end = start;
    while (end + 1 < order.length && order[end + 1].rank - machine.rank < difference) end += 1;
    if (end > start && (out.length === 0 || end > out[out.length - 1].end)) out.push({ start, end });
  });
  return out;
}

function draw(width, order, bars, difference, label) {
  const k = order.length;
  const half = Math.ceil(k / 2);
  const side = Math.min(130, 0.27 * width);
  const x = scaleLinear([1, k], [side, width - side]);
  const top = 62;
  const first = top + 20 + 12 * bars.length;
  const height = first + half * 26 + 4;
  const svg = drawing(width, height, label);
  const rule = (x1, y1, x2, y2, style) => add(svg, 'line', { class: style, x1, y1, x2, y2 });

  rule(x(1), 16, x(1 + difference), 16, 'ruler');
  for (const end of [1, 1 + difference]) rule(x(end), 11, x(end), 21, 'ruler');
  add(svg, 'text', { class: 'hint', x: x(1) - 8, y: 20, 'text-anchor': 'end' }).text('CD');
  rule(x(1), top, x(k), top, 'rank-axis');
  for (let rank = 1; rank <= k; rank += 1) {
    rule(x(rank), top - 6, x(rank), top, 'rank-axis');
    add(svg, 'text', { class: 'tick', x: x(rank), y: top - 12, 'text-anchor': 'middle' }).text(rank);
  }
  const items = order.map((machine, place) => {
    const left = place < half;
    const y = first + 12 + 26 * (left ? place : k - 1 - place);
    const end = left ? side - 4 : width - side + 4;
    add(svg, 'path', { class: 'elbow', d: `M${x(machine.rank)},${top}V${y}H${end}` });
    add(svg, 'circle', { class: 'dot', cx: x(machine.rank), cy: top, r: 4 });
    add(svg, 'text', {
      class: 'tick',
      x: left ? end - 6 : end + 6,
      y,
      dy: '0.35em',
      'text-anchor': left ? 'end' : 'start',
    }).text(shown(machine.name, Math.floor((side - 12) / 7)));
    return { x: x(machine.rank), y: top, lines: [shown(machine.name), `mean rank ${machine.rank.toFixed(2)}`] };
  });
  bars.forEach((bar, i) => {
    const y = top + 14 + 12 * i;
    add(svg, 'line', {
      class: 'joined',
      x1: x(order[bar.start].rank) - 6,
      x2: x(order[bar.end].rank) + 6,
      y1: y,
      y2: y,
    });
  });
  return { svg: svg.node(), items, reach: 40 };
}

export function ranks(result) {
  const data = result.ranks;
  if (!data?.names?.length) return null;
  const order = data.names.map((name, i) => ({ name, rank: data.ranks[i] })).sort((a, b) => a.rank - b.rank);
  const bars = groups(order, data.critical_difference);
  const label =
    `Mean ranks, 1 is best: ${order.map((m) => `${shown(m.name)} ${m.rank.toFixed(2)}`).join(', ')}. ` +
    `Critical difference ${data.critical_difference.toFixed(2)}. ` +
    bars
      .map(
        (bar) =>
          `Not clearly different: ${order
            .slice(bar.start, bar.end + 1)
            .map((m) => shown(m.name))
            .join(', ')}.`,
      )
      .join(' ');
  return {
    id: 'ranks',
    title: 'Ranks over all sets',
    draw: (width) => draw(width, order, bars, data.critical_difference, label),
    caption:
      'On each set the machines are ranked by error, 1 is best; shown is the mean over the sets. Machines joined ' +
      'by a thick bar differ by less than ' +
      `the critical difference (CD, ${data.critical_difference.toFixed(2)}): these sets cannot tell them apart. ` +
      (data.friedman ? `Friedman test of whether all are equal: p ${pValue(data.friedman.p)}.` : ''),
    numbers: () =>
      table({
        label: 'Mean ranks',
        rows: order,
        columns: [
          { title: 'Machine', text: (m) => shown(m.name, 80) },
          { title: 'Mean rank', text: (m) => m.rank.toFixed(2), value: (m) => m.rank },
        ],
      }),
  };
}
