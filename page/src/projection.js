// SPDX-License-Identifier: Apache-2.0
//
// Rows on the two directions that separate the classes best.

import { mean } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { classEntries } from './class_legend.js';
import { classMark } from './class_marks.js';
import { add, drawing } from './drawing.js';
import { framed, wrong } from './map_points.js';
import { scoreCurves } from './score_curves.js';
import { table } from './table.js';
import { count, number, percent, plural, quoted, shown } from './words.js';

function draw(width, { points, frames }, labels, view, label) {
  const height = Math.round(Math.min(520, Math.max(300, 0.7 * width)));
  const svg = drawing(width, height, label).attr('class', points.filter(wrong).length > 100 ? 'mistakes-many' : null);
  add(svg, 'rect', { class: 'ground', width, height, rx: 6 });
  const x = scaleLinear(frames.x, [6, width - 6]);
  const y = scaleLinear(frames.y, [height - 6, 6]);
  const area = points.length > 800 ? 22 : 40;
  const items = [];
  // Mistakes last, on top.
  for (const point of [...points].sort((a, b) => wrong(a) - wrong(b))) {
    const silent = view.muted.has(point.label) || (view.mistakes && !wrong(point));
    const at = [x(point.x), y(point.y)];
    const mark = classMark(svg, point.label, area)
      .attr('transform', `translate(${at})`)
      .attr('opacity', silent ? 0.07 : 0.82);
    if (silent) continue;
    if (wrong(point)) {
      add(svg, 'circle', { class: 'mistake', cx: at[0], cy: at[1], r: points.length > 800 ? 5 : 6.5 });
      mark.attr('opacity', 1);
    }
    items.push({
      x: at[0],
      y: at[1],
      lines: [quoted(labels[point.label]), ...(wrong(point) ? [`taken for ${quoted(labels[point.predicted])}`] : [])],
    });
  }
  return { svg: svg.node(), items, reach: 14 };
}

export function projection(result) {
  const data = result.held_out?.figures?.projection ?? result.figures?.projection;
  if (!data?.points?.length || !result.classes) return null;
  const labels = result.classes;
  const view = { muted: new Set(), mistakes: false };
  const present = labels.map((_, i) => i).filter((i) => data.points.some((p) => p.label === i));
  const centres = present.map((i) => {
    const own = data.points.filter((p) => p.label === i);
    return { label: labels[i], rows: own.length, x: mean(own, (p) => p.x), y: mean(own, (p) => p.y) };
  });
  // Two classes have one direction only: a map of it would be a line.
  const flat = data.points.every((p) => p.y === data.points[0].y);
  const map = framed(data.points);
  const share = (data.explained ?? []).reduce((a, b) => a + b, 0);
  const mistakes = data.points.filter(wrong).length;
  const label =
    `Map of ${data.points.length} rows of ${present.length} classes on ` +
    `${flat ? 'one direction' : 'two directions'}${share && !flat ? `, which hold ${percent(share)} of the separation` : ''}; ` +
    `${mistakes} of them are taken for another class.`;
  const onlyMistakes = {
    text: 'Only mistakes',
    choose: (checked) => {
      view.mistakes = checked;
    },
  };
  return {
    id: 'projection',
    title: flat ? 'How well the classes part' : 'The classes on a map',
    check: mistakes > 0 ? onlyMistakes : null,
    draw: (width) =>
      flat
        ? scoreCurves(width, map.points, labels, present, map.frames.x, view, label)
        : draw(width, map, labels, view, label),
    legend: { entries: classEntries(labels, present), muted: view.muted },
    caption:
      (flat
        ? 'Each hill shows where the rows of a class lie on the direction that keeps the classes apart best; the less ' +
          'they overlap, the better. Each mark below is a row'
        : 'Each mark is a row, seen from the two directions that keep the classes apart best') +
      (share && !flat ? ` (they hold ${percent(share)} of the separation; the rest is not visible here). ` : '. ') +
      'Ringed rows are taken for another class. ' +
      (data.shown < data.rows ? `${count(data.shown)} of ${count(data.rows)} rows are drawn. ` : '') +
      (map.beyond > 0 ? `${plural(map.beyond, 'row')} far outside ${map.beyond === 1 ? 'is' : 'are'} drawn on the edge. ` : '') +
      'Press a class to mute it.',
    numbers: () =>
      table({
        label: 'Middle of each class on the map',
        rows: centres,
        columns: [
          { title: 'Class', text: (c) => shown(c.label, 200) },
          { title: 'Rows', text: (c) => count(c.rows), value: (c) => c.rows },
          { title: 'Across', text: (c) => number(c.x), value: (c) => c.x },
          ...(flat ? [] : [{ title: 'Up', text: (c) => number(c.y), value: (c) => c.y }]),
        ],
      }),
  };
}
