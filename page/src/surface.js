// SPDX-License-Identifier: Apache-2.0
//
// The search: the error at each setting that was tried. Two parameters make a map, one makes a curve. Cells are drawn
// where they were tried; a search that narrows down leaves them scattered.

import { extent, max, median, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line, symbol, symbolStar } from 'd3-shape';
import { xAxis, yAxis } from './axes.js';
import { add, drawing } from './drawing.js';
import { heatScale } from './heat.js';
import { table } from './table.js';
import { count, number, percent, plural, powerOfTwo, tickPercent } from './words.js';

const kNames = {
  sigma: 'sigma (width: how far a row’s influence reaches)',
  ridge: 'ridge (larger: smoother)',
  cost: 'cost (larger: follows the rows more closely)',
};

const distinct = (values) => [...new Set(values.map((v) => Number(v.toFixed(6))))].sort((a, b) => a - b);

function gaps(values) {
  const all = distinct(values);
  return all.slice(1).map((v, i) => v - all[i]);
}

/// Cells in log2 with what is needed to draw them; the axis that does not vary is left out.
function prepare(result) {
  const cells = (result.surface ?? []).filter((cell) => cell.error != null);
  const second = cells.some((cell) => cell.cost !== undefined) ? 'cost' : 'ridge';
  const keys = ['sigma', second].filter((key) => distinct(cells.map((cell) => Math.log2(cell[key] ?? 1))).length > 1);
  const at = (cell) => ({ ...cell, logs: keys.map((key) => Math.log2(cell[key])) });
  const settled = { sigma: result.kernel?.sigma, [second]: result[second] };
  const away = (cell) => keys.reduce((sum, key, k) => sum + Math.abs(cell.logs[k] - Math.log2(settled[key] ?? NaN)), 0);
  const placed = cells.map(at);
  const best = min(placed, (cell) => cell.error);
  const chosen = placed.reduce((a, b) => (away(b) < away(a) ? b : a), placed[0]);
  return {
    keys,
    second,
    cells: placed,
    best,
    worst: max(placed, (cell) => cell.error),
    chosen: chosen && away(chosen) < 0.01 ? chosen : placed.find((cell) => cell.error === best),
    earlier: (result.rounds ?? []).flatMap((round) =>
      round.surface.filter((c) => c.error !== null).map((c) => ({ ...at(c), rows: round.rows })),
    ),
  };
}

function lines(cell, data) {
  const settings = ['sigma', data.second]
    .filter((key) => cell[key] !== undefined)
    .map((key) => `${key} ${number(cell[key])} (${powerOfTwo(Math.log2(cell[key]))})`);
  const sd = cell.std == null ? '' : ` (sd ${percent(cell.std)})`;
  const note =
    cell === data.chosen
      ? ['chosen']
      : cell.rows
        ? [`a first look, at ${plural(cell.rows, 'row')} only`]
        : cell.error <= data.limit
          ? ['not clearly worse than the best']
          : [];
  return [`${percent(cell.error)} wrong${sd}`, ...settings, ...note];
}

/// Ticks at whole powers of two, not more than fit.
function powers([low, high], room) {
  const step = Math.max(1, Math.ceil((high - low) / Math.max(2, room)));
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) out.push(v);
  return out.length > 1 ? out : [low, high];
}

/// The range of a parameter, with room at its ends.
function padded(cells, key, pad) {
  const [low, high] = extent(cells, (cell) => cell.logs[key]);
  return [low - pad, high + pad];
}

/// Width and height of a cell in pixels: the pitch of a grid where there is one, else the usual distance to the nearest.
function cellSize(cells, x, y) {
  const width = x(min(gaps(cells.map((cell) => cell.logs[0])))) - x(0);
  const height = y(0) - y(min(gaps(cells.map((cell) => cell.logs[1]))));
  if (Math.min(width, height) > 9) return { width: Math.min(60, width) - 2, height: Math.min(60, height) - 2 };
  const near = cells.map((cell) =>
    min(cells, (other) => {
      const d = Math.max(Math.abs(x(other.logs[0]) - x(cell.logs[0])), Math.abs(y(other.logs[1]) - y(cell.logs[1])));
      return d < 0.5 ? undefined : d;
    }),
  );
  const side = Math.max(13, Math.min(26, median(near) ?? 26));
  return { width: side, height: side };
}

function legend(svg, heat, left, width, top) {
  const w = Math.min(26, (width - 50) / heat.steps.length);
  add(svg, 'text', { class: 'tick', x: left + 10 * w + 8, y: top + 8.5 }).text('wrong');
  heat.steps.forEach((step, k) => {
    add(svg, 'rect', { x: left + k * w, y: top, width: w + 0.5, height: 9, fill: step.colour });
    if (k % 3 === 0) add(svg, 'text', { class: 'tick', x: left + k * w, y: top + 22 }).text(percent(step.from));
  });
}

function drawMap(width, data, label) {
  const height = Math.min(430, Math.max(300, width * 0.72)) + 60;
  const box = { left: 46, right: width - 12, top: 34, bottom: height - 96 };
  const svg = drawing(width, height, label);
  const all = [...data.cells, ...data.earlier];
  const pads = [0, 1].map((k) =>
    Math.min(1, Math.max(0.5, (min(gaps(data.cells.map((cell) => cell.logs[k]))) ?? 1) / 2 + 0.1)),
  );
  const x = scaleLinear(padded(all, 0, pads[0]), [box.left, box.right]);
  const y = scaleLinear(padded(all, 1, pads[1]), [box.bottom, box.top]);
  xAxis(svg, x, box, {
    ticks: powers(x.domain(), (box.right - box.left) / 46),
    format: powerOfTwo,
    title: kNames[data.keys[0]],
  });
  yAxis(svg, y, box, {
    ticks: powers(y.domain(), (box.bottom - box.top) / 30),
    format: powerOfTwo,
    title: kNames[data.keys[1]],
  });
  const heat = heatScale(data.best, data.worst);

  const items = [];
  for (const cell of data.earlier) {
    const item = { x: x(cell.logs[0]), y: y(cell.logs[1]), width: 8, height: 8, lines: lines(cell, data) };
    add(svg, 'circle', { class: 'earlier', cx: item.x, cy: item.y, r: 2.5 });
    items.push(item);
  }
  const size = cellSize(data.cells, x, y);
  const drawn = data.cells.map((cell) => ({
    cell,
    x: x(cell.logs[0]),
    y: y(cell.logs[1]),
    ...size,
    lines: lines(cell, data),
  }));
  // The best on top, where scattered cells overlap.
  for (const item of [...drawn].sort((a, b) => b.cell.error - a.cell.error)) {
    add(svg, 'rect', {
      x: item.x - item.width / 2,
      y: item.y - item.height / 2,
      width: item.width,
      height: item.height,
      rx: 2,
      fill: heat.colour(item.cell.error),
      class: item.cell.error <= data.limit ? 'cell good' : 'cell',
    });
    if (item.cell === data.chosen) {
      add(svg, 'path', {
        class: 'chosen',
        d: symbol(symbolStar, Math.min(150, 0.5 * item.width * item.height))(),
        transform: `translate(${item.x},${item.y})`,
      });
    }
  }
  legend(svg, heat, box.left, box.right - box.left, height - 34);
  return { svg: svg.node(), items: [...drawn, ...items], reach: 6 };
}

function drawCurve(width, data, label) {
  const box = { left: 54, right: width - 12, top: 34, bottom: 254 };
  const svg = drawing(width, 302, label);
  const sorted = [...data.cells].sort((a, b) => a.logs[0] - b.logs[0]);
  const x = scaleLinear(padded(sorted, 0, 0.3), [box.left, box.right]);
  const y = scaleLinear([0, data.worst * 1.05 || 1], [box.bottom, box.top]).nice();
  xAxis(svg, x, box, {
    ticks: powers(x.domain(), (box.right - box.left) / 46),
    format: powerOfTwo,
    title: kNames[data.keys[0]],
  });
  yAxis(svg, y, box, { format: tickPercent, title: 'wrong' });
  add(svg, 'path', {
    class: 'curve',
    d: line(
      (cell) => x(cell.logs[0]),
      (cell) => y(cell.error),
    )(sorted),
  });
  const items = sorted.map((cell) => ({ cell, x: x(cell.logs[0]), y: y(cell.error), lines: lines(cell, data) }));
  for (const item of items) {
    add(svg, 'circle', { class: item.cell.error <= data.limit ? 'dot good' : 'dot', cx: item.x, cy: item.y, r: 4.5 });
    if (item.cell === data.chosen)
      add(svg, 'path', { class: 'chosen', d: symbol(symbolStar, 150)(), transform: `translate(${item.x},${item.y})` });
  }
  return { svg: svg.node(), items };
}

/// A chosen cell on the rim of what was tried may have better ones beyond it.
function atEdge(data) {
  return data.keys.filter((key, k) => {
    const [low, high] = extent(data.cells, (cell) => cell.logs[k]);
    return data.chosen.logs[k] === low || data.chosen.logs[k] === high;
  });
}

export function surface(result) {
  const data = prepare(result);
  if (data.cells.length < 2 || data.keys.length === 0) return null;
  const n = result.surface_rows ?? result.cv?.rows ?? result.n;
  data.limit = data.best + Math.sqrt((data.best * (1 - data.best)) / n);
  const good = data.cells.filter((cell) => cell.error <= data.limit).length;
  const edge = atEdge(data);
  const label =
    `Search over ${data.keys.join(' and ')}: ${data.cells.length} settings, errors from ${percent(data.best)} to ` +
    `${percent(data.worst)}. ` +
    `Chosen: ${lines(data.chosen, data).join(', ')}. ${good} settings are not clearly worse than the best.`;
  return {
    id: 'surface',
    title: 'How the settings were chosen',
    lead:
      good > 1
        ? `${count(good)} of ${plural(data.cells.length, 'setting')} do about as well as the best: the choice ` +
          `among them matters little.`
        : `Of ${plural(data.cells.length, 'setting')} one is ahead of all others by more than chance easily makes.`,
    draw: (width) => (data.keys.length === 2 ? drawMap(width, data, label) : drawCurve(width, data, label)),
    caption:
      (data.keys.length === 2
        ? 'Each cell is a setting that was tried; the stronger its colour, the fewer rows are wrong.'
        : 'Each point is a setting that was tried.') +
        ` The star is the chosen one. ${data.keys.length === 2 ? 'Outlined cells' : 'Ringed points'} are within ` +
        `one standard error of the best (${percent(data.limit - data.best)} with ${count(n)} rows), ` +
        'a difference that chance alone can make.' +
      (data.earlier.length > 0 ? ' Small dots: settings given a first look at fewer rows.' : '') +
      (edge.length > 0
        ? ` The chosen ${edge.join(' and ')} lies at the edge of what was tried; --grid widens the search.`
        : ''),
    numbers: () =>
      table({
        label: 'Settings that were tried, best first',
        limit: 300,
        rows: [...data.cells].sort((a, b) => a.error - b.error),
        columns: [
          ...['sigma', data.second]
            .filter((key) => data.cells[0][key] !== undefined)
            .map((key) => ({ title: key, text: (cell) => number(cell[key]), value: (cell) => cell[key] })),
          { title: 'Wrong', text: (cell) => percent(cell.error), value: (cell) => cell.error },
        ],
      }),
  };
}
