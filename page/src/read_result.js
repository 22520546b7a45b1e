// SPDX-License-Identifier: Apache-2.0
//
// The result in the page, or one sentence that says why it cannot be shown.

import { quoted } from './words.js';

const kVersion = 1;

export function readResult(text, kinds) {
  let result = null;
  try {
    result = JSON.parse(text);
  } catch {
    return {
      problem: 'This page holds no result that can be read: make it with “manyone report RESULT.json -o page.html”.',
    };
  }
  if (result?.format !== 'manyone-result') {
    return {
      problem:
        `This page shows results of Manyone, but what it holds says it is ` +
        `${quoted(result?.format ?? 'of no known format')}.`,
    };
  }
  if (!Number.isInteger(result.version) || result.version > kVersion || result.version < 1) {
    return {
      problem:
        `This page shows results of version ${kVersion}, but this one is of version ${quoted(result.version)}: ` +
        'make the page with the Manyone that made the result.',
    };
  }
  if (!kinds.includes(result.kind)) {
    return { problem: `This page has no figures for results of the kind ${quoted(result.kind)}.` };
  }
  return { result: whole(result) };
}

/// Leaves out what lacks a part it makes no sense without, so that a figure need only ask whether its data is there.
function whole(result) {
  const tested = [result, result.held_out].filter((one) => one?.confusion !== undefined);
  for (const one of tested) {
    if (!one.confusion?.labels || !one.confusion.counts) one.confusion = null;
  }
  result.classes ??= result.held_out?.confusion?.labels ?? null;
  result.sets ??= [];
  const { names, ranks, critical_difference: difference } = result.ranks ?? {};
  if (!names || !ranks || difference == null) result.ranks = null;
  return result;
}
