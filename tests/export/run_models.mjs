// SPDX-License-Identifier: Apache-2.0
//
// Runs ONNX models on rows: node run_models.mjs CASES.json RESULTS.json
//
// CASES: [{model, type, rows, columns, features}], features one row after the other; RESULTS: [{label, scores,
// probabilities}] or [{error}], labels as text.
import {readFileSync, writeFileSync} from 'node:fs';

import ort from 'onnxruntime-node';

const [casesFile, resultsFile] = process.argv.slice(2);

async function run({model, type, rows, columns, features}) {
  const session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3});
  const values = type === 'float32' ? Float32Array.from(features) : Float64Array.from(features);
  const out = await session.run({features: new ort.Tensor(type, values, [rows, columns])});
  await session.release();
  return {
    label: Array.from(out.label.data, String),
    scores: Array.from(out.scores.data),
    probabilities: Array.from(out.probabilities.data),
  };
}

const results = [];
for (const each of JSON.parse(readFileSync(casesFile, 'utf8'))) {
  results.push(await run(each).catch((error) => ({error: String(error)})));
}
writeFileSync(resultsFile, JSON.stringify(results));
