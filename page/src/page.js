// SPDX-License-Identifier: Apache-2.0
//
// The page: reads the result that the tool has put into it and shows the figures there is data for.

import { element } from './dom.js';
import { figure } from './figure.js';
import { readResult } from './read_result.js';
import { themeButton } from './theme.js';
import { installTooltip } from './tooltip.js';
import { list, shown } from './words.js';

import { headline } from './headline.js';
import { comparisonHeadline } from './comparison_headline.js';
import { confusion } from './confusion.js';
import { classesTable } from './classes_table.js';
import { reliability } from './reliability.js';
import { surface } from './surface.js';
import { projection } from './projection.js';
import { regions } from './regions.js';
import { codeLengths } from './code_lengths.js';
import { codeViews } from './code_views.js';
import { timing } from './timing.js';
import { errorTable } from './error_table.js';
import { intervals } from './intervals.js';
import { ranks } from './ranks.js';
import { machineTimes } from './machine_times.js';
import { reproduction } from './reproduction.js';
import { recipe } from './recipe.js';

const kModel = [
  headline,
  confusion,
  classesTable,
  projection,
  reliability,
  surface,
  regions,
  timing,
  recipe,
];
const kFigures = {
  fit: kModel,
  tune: kModel,
  evaluate: [headline, confusion, classesTable, reliability, recipe],
  compare: [comparisonHeadline, errorTable, intervals, ranks, machineTimes, recipe],
  reproduce: [reproduction, regions, codeLengths, codeViews, recipe],
};
const kTitles = {
  fit: 'A model of',
  tune: 'A search on',
  evaluate: 'A test on',
  compare: 'compared on',
  reproduce: 'A published table again:',
};

function subject(result) {
  const sets = [result.data].flat().filter(Boolean);
  const names = sets.map((set) => shown(set.name, 60));
  return names.length > 3
    ? `${names.length} tables`
    : names.join(', ') || shown(result.title ?? result.table ?? 'a table');
}

/// "onelsm and ls-ovo compared on glass.csv": what a browser's tab and a reader need to tell two pages apart.
function titleOf(result) {
  const machines = (result.sets?.[0]?.machines ?? result.machines ?? []).map((m) => shown(m.name, 40));
  const about = `${kTitles[result.kind]} ${subject(result)}`;
  if (result.kind !== 'compare') return about;
  return `${machines.length === 0 || machines.length > 4 ? `${machines.length || 'Several'} machines` : list(machines)} ${about}`;
}

/// Parts of the page are nodes, or figures that are described.
function made(part, result) {
  try {
    return [part(result)].flat().map((one) => (one?.draw ? figure(one) : one));
  } catch (error) {
    console.error(error);
    return element('p', { class: 'note' }, 'A figure could not be drawn: its numbers are not as expected.');
  }
}

function contents(nodes) {
  const links = nodes
    .filter((node) => node.id && node.querySelector('h2'))
    .map((node) => element('a', { href: `#${node.id}` }, node.querySelector('h2').textContent));
  return links.length > 2 && element('nav', { 'aria-label': 'Figures' }, ...links);
}

/// Half-wide figures stand in pairs; one left over takes the whole width.
function spreadLast(nodes) {
  const half = nodes.filter((node) => node.matches('figure:not(.wide)'));
  if (half.length % 2 === 1) half[half.length - 1].classList.add('wide');
}

function show() {
  installTooltip();
  const { result, problem } = readResult(document.getElementById('result').textContent, Object.keys(kFigures));
  const title = problem ? 'Manyone report' : titleOf(result);
  document.title = problem ? title : `${title} – Manyone`;
  const header = element(
    'header',
    {},
    element('div', {}, element('p', { class: 'brand' }, 'Manyone report'), !problem && element('h1', {}, title)),
    themeButton(),
  );
  if (problem) {
    document.body.prepend(header, element('main', {}, element('p', { class: 'problem', role: 'alert' }, problem)));
    return;
  }
  const nodes = kFigures[result.kind].flatMap((part) => made(part, result)).filter(Boolean);
  const [first, ...rest] = nodes;
  spreadLast(rest);
  document.body.prepend(
    header,
    element('main', {}, first, contents(rest), element('div', { class: 'figures' }, ...rest)),
    element(
      'footer',
      {},
      `Made by Manyone ${shown(result.made?.version ?? '')}. This page is one file: its data, drawings and ` +
        'code are inside, and it asks nothing of any server. Point at a figure for its numbers, or press Tab and ' +
        'the arrow keys.',
    ),
  );
}

show();
