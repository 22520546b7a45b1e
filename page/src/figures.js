// SPDX-License-Identifier: Apache-2.0
//
// The figures of a result as SVG files, for where there is no browser: `manyone report --svg` lets node run this.

import { codeLengths } from './code_lengths.js';
import { codeViews } from './code_views.js';
import { confusion } from './confusion.js';
import { intervals } from './intervals.js';
import { machineTimes } from './machine_times.js';
import { projection } from './projection.js';
import { ranks } from './ranks.js';
import { readResult } from './read_result.js';
import { regions } from './regions.js';
import { reliability } from './reliability.js';
import { surface } from './surface.js';
import { svgDocument } from './svg_document.js';
import { svgFile } from './svg_file.js';
import { timing } from './timing.js';

const kModel = [confusion, projection, reliability, surface, regions, timing];
const kFigures = {
  fit: kModel,
  tune: kModel,
  evaluate: [confusion, reliability],
  compare: [intervals, ranks, machineTimes],
  reproduce: [regions, codeLengths, codeViews],
};

/// Of the text of a result: {figures: {name: text of a file}}, or {problem: why not}.
export function figures(text) {
  globalThis.document = svgDocument();
  const { result, problem } = readResult(text, Object.keys(kFigures));
  if (problem) return { problem };
  try {
    const described = kFigures[result.kind].flatMap((figure) => figure(result)).filter(Boolean);
    return { figures: Object.fromEntries(described.map((one) => [one.id, svgFile(one, true)])) };
  } catch {
    return { problem: 'not a result as docs/result-schema.md describes it: a part is missing or of another type' };
  }
}
