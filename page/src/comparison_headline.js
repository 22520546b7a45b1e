// SPDX-License-Identifier: Apache-2.0
//
// The verdict of a comparison in words.

import { extent } from 'd3-array';
import { element, strong } from './dom.js';
import { clear, correction, kLevel } from './pair_test.js';
import { count, list, pValue, percent, shown } from './words.js';

const kListed = 6; // verdicts in the headline; the figure below has them all

function overSets({ ranks, sets }) {
  const order = ranks.names.map((name, i) => ({ name, rank: ranks.ranks[i] })).sort((a, b) => a.rank - b.rank);
  const best = order[0];
  const real = ranks.friedman.p < (ranks.alpha ?? kLevel);
  const ties = order.slice(1).filter((m) => m.rank - best.rank < ranks.critical_difference);
  const outcome = !real
    ? [
        strong('No machine is clearly better'),
        ` than the others over these ${sets.length} tables; `,
        strong(shown(best.name)),
        ' ranks first, which may be chance',
      ]
    : ties.length === 0
      ? [strong(shown(best.name)), ` is clearly the best over these ${sets.length} tables`]
      : [
          strong(shown(best.name)),
          ` does best over these ${sets.length} tables, though not clearly better than ` +
            `${list(ties.map((m) => shown(m.name)))}`,
        ];
  return element(
    'p',
    { class: 'verdict' },
    ...outcome,
    ` (mean rank ${best.rank.toFixed(2)} of ${order.length} machines; Friedman test p ${about(ranks.friedman.p)}).`,
  );
}

const about = (p) => (p < 0.001 ? '< 0.001' : `= ${pValue(p)}`);

function onOneSet(set, pairs) {
  const best = set.machines.reduce((a, b) => (b.error < a.error ? b : a));
  const equals = set.machines.filter((m) => m.error === best.error);
  const which = equals.length < set.machines.length ? 'smallest error' : 'error';
  const own = pairs.filter(
    (pair) => (pair.set ?? set.name) === set.name && (pair.first === best.name || pair.second === best.name),
  );
  const other = (pair) => shown(pair.first === best.name ? pair.second : pair.first);
  const beaten = own.filter(clear).map(other);
  const same = new Set(equals.map((m) => shown(m.name)));
  const tied = own
    .filter((pair) => !clear(pair))
    .map(other)
    .filter((name) => !same.has(name));
  return element(
    'p',
    { class: 'verdict' },
    ...(equals.length > 1
      ? [strong(list(equals.map((m) => shown(m.name)))), ` have the same ${which} on ${shown(set.name)}, `]
      : [strong(shown(best.name)), ` has the smallest error on ${shown(set.name)}, `]),
    strong(percent(best.error)),
    beaten.length > 0 ? `; it is clearly better than ${list(beaten)}` : '',
    tied.length > 0 ? `; the difference to ${list(tied)} may be chance` : '',
    '.',
  );
}

export function comparisonHeadline(result) {
  const pairs = result.pairs ?? [];
  const sure = pairs.filter(clear).sort((a, b) => (a.holm_p ?? a.p) - (b.holm_p ?? b.p));
  return element(
    'section',
    { class: 'headline', id: 'headline' },
    element(
      'div',
      { class: 'words' },
      result.ranks?.friedman ? overSets(result) : result.sets.map((set) => onOneSet(set, pairs)),
      pairs.length > 0 &&
        element(
          'p',
          {},
          strong('How sure is that? '),
          sureness(pairs.length, sure.length) +
            (sure.length > 0 ? ` (p under ${kLevel}${correction(pairs, result.sets?.length)}):` : '.'),
        ),
      sure.length > 0 &&
        element(
          'ul',
          { class: 'verdicts' },
          ...sure
            .slice(0, kListed)
            .map((pair) =>
              element(
                'li',
                {},
                result.sets?.length > 1 && pair.set ? element('span', { class: 'tag' }, shown(pair.set)) : null,
                shown(pair.verdict, 300),
              ),
            ),
        ),
      sure.length > kListed && element('p', { class: 'note' }, `… and ${sure.length - kListed} more, below.`),
      spread(result),
    ),
  );
}

function sureness(pairs, sure) {
  const all = `Of ${count(pairs)} pairs compared,`;
  if (sure === 0) {
    return pairs === 1
      ? 'The two differ by no more than chance could explain'
      : `${all} none differs by more than chance could explain`;
  }
  const who = pairs === 1 ? 'The two differ' : sure === 1 ? `${all} one differs` : `${all} ${count(sure)} differ`;
  return `${who} by more than chance explains`;
}

/// How much there is to gain at all: the gap between the best and the worst machine on each set, where there is one.
function spread({ sets }) {
  const several = (sets ?? []).filter((set) => set.machines.length > 1);
  const gaps = several
    .map((set) => ({ name: shown(set.name), ends: extent(set.machines, (m) => m.error).map(percent) }))
    .filter(({ ends }) => ends[0] !== ends[1])
    .map(({ name, ends }) => `${name} ${ends[0]} to ${ends[1]}`);
  const equal = several.length - gaps.length;
  const rest = equal > 0 ? `; on ${equal === 1 ? 'the other table' : 'the other tables'} all are equal` : '';
  return (
    gaps.length > 0 &&
    several.length < 8 &&
    element('p', {}, strong('From best to worst: '), `${gaps.join('; ')} wrong${rest}.`)
  );
}
