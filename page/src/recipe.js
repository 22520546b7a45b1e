// SPDX-License-Identifier: Apache-2.0
//
// What was run on what, and the command that runs it again.

import { element } from './dom.js';
import { count, number, percent, plural, powerOfTwo, shown } from './words.js';

const kMeaning = {
  machine: 'the method',
  machines: 'the methods compared',
  protocol: 'how the rows are split into those to fit and those to test',
  kernel: 'how the likeness of two rows is measured',
  sigma: 'width: how far the influence of a row reaches',
  degree: 'of the polynomial',
  offset: 'of the polynomial',
  ridge: 'larger is smoother',
  cost: 'larger follows the rows more closely',
  labelbook: 'how classes are written as numbers',
  'label kernel': 'likeness of classes to each other',
  decode: 'how scores become a class',
  bias: 'a constant is added to each score',
  weights: 'how much each row counts',
  scale: 'how features are brought to one scale',
  search: 'how settings were looked for',
  'cross-validation': 'parts the rows are left out in',
  'cross-validation of a part': 'a part of the rows, left out in parts',
  'held-out rows': 'judged by models trained on others',
  temperature: 'turns scores into probabilities',
  centres: 'rows the model keeps to compare with',
  seed: 'start of the random numbers; the same seed gives the same result',
};

const kPython = /^[\w.]+\(/; // a call, of which the arguments are not all told, and no command of a shell

const scalar = (value) =>
  typeof value === 'number' ? number(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : shown(value, 120);

/// Parameters that were searched in powers of two are shown as such too.
const withPower = (value) =>
  Number.isInteger(Math.round(1e6 * Math.log2(value)) / 1e6) && value !== 1
    ? `${number(value)} = ${powerOfTwo(Math.log2(value))}`
    : number(value);

function settings(result) {
  const out = [];
  const add = (name, value) => value != null && value !== '' && out.push([name, value]);
  add('machine', result.machine && shown(result.machine));
  add('protocol', result.protocol && shown(result.protocol));
  add(
    'machines',
    result.machines
      ?.map((m) => (m.machine && m.machine !== m.name ? `${shown(m.name)} (${shown(m.machine)})` : shown(m.name)))
      .join(', '),
  );
  add('kernel', result.kernel?.name && shown(result.kernel.name));
  if (result.kernel?.sigma) add('sigma', withPower(result.kernel.sigma));
  add('degree', result.kernel?.degree);
  add('offset', result.kernel?.offset);
  if (result.ridge) add('ridge', withPower(result.ridge));
  if (result.cost) add('cost', withPower(result.cost));
  for (const key of ['labelbook', 'label_kernel', 'decode', 'bias', 'weights', 'scale', 'search']) {
    if (result[key] != null) add(key.replace('_', ' '), scalar(result[key]));
  }
  const cv = result.cv;
  if (cv) {
    const folds = cv.folds === 'loo' ? 'leave-one-out' : `${cv.folds} folds`;
    const name = { 'held-out': 'held-out rows', subset: 'cross-validation of a part' }[cv.kind] ?? 'cross-validation';
    const way = cv.kind === 'held-out' ? count(cv.rows) : `${folds}${cv.repeats > 1 ? `, ${cv.repeats} times` : ''}`;
    add(name, `${way}, ${percent(cv.error)} wrong`);
  }
  add('temperature', result.temperature && number(result.temperature));
  if (result.centres) add('centres', count(result.centres));
  add('seed', result.seed == null ? null : String(result.seed));
  add('model file', result.model && shown(result.model, 120));
  return out;
}

function definitions(entries) {
  return element(
    'dl',
    {},
    ...entries.map(([name, value]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element(
          'dd',
          {},
          element('span', { class: 'setting' }, String(value)),
          kMeaning[name] && element('span', { class: 'note' }, kMeaning[name]),
        ),
      ),
    ),
  );
}

function dataLines(result) {
  return [result.data]
    .flat()
    .filter(Boolean)
    .map((set) =>
      element(
        'p',
        { class: 'data' },
        element('strong', {}, shown(set.name, 120)),
        ': ',
        [
          set.rows && plural(set.rows, 'row'),
          set.features && plural(set.features, 'feature'),
          ![result.data].flat()[1] && result.classes && plural(result.classes.length, 'class', 'classes'),
        ]
          .filter(Boolean)
          .join(', '),
        set.fingerprint &&
          element('span', { class: 'fingerprint' }, ' fingerprint ', element('code', {}, shown(set.fingerprint, 80))),
      ),
    );
}

async function copy(text, code, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // Browsers that keep the clipboard from files: select it, so that a key copies it.
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    done = document.execCommand?.('copy') ?? false;
  }
  button.textContent = done ? 'Copied' : 'Selected';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

export function recipe(result) {
  const code = element('code', {}, result.command ?? '');
  const button = element('button', { type: 'button', onclick: () => copy(result.command, code, button) }, 'Copy');
  const python = kPython.test(result.command ?? '');
  return element(
    'figure',
    { id: 'recipe', class: 'wide', 'aria-labelledby': 'recipe-title' },
    element('h2', { id: 'recipe-title' }, 'Run it again'),
    python && element('p', {}, 'From Python: ', code),
    result.command &&
      !python &&
      element('div', { class: 'command' }, element('pre', { tabindex: '0', 'aria-label': 'Command' }, code), button),
    element(
      'p',
      { class: 'lead' },
      `The same ${python ? 'settings' : 'command'} on the same table ${python ? 'give' : 'gives'} the same result. ` +
        'The fingerprint tells whether the table is still the same.',
    ),
    ...dataLines(result),
    definitions(settings(result)),
    element(
      'figcaption',
      {},
      `Settings of Manyone ${shown(result.made?.version ?? '')}; the documentation of parameters says more of each.`,
    ),
  );
}
