// SPDX-License-Identifier: Apache-2.0
//
// Bundles the page into one self-contained HTML file: node build.mjs OUT/page.html
// The tool puts a result where <!--MANYONE-RESULT--> stands. The policy in the page allows this script and this style
// by their hashes and nothing else, so that a label of a user's table can neither run nor fetch anything.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error('build.mjs: expected the file to write, as in: node build.mjs build/page.html');
  process.exit(2);
}

const kPlace = '<!--MANYONE-RESULT-->';
const kLargest = 300_000; // bytes; a report should be small enough to mail

async function bundled(entry) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    format: 'iife',
    target: ['es2020', 'chrome90', 'firefox90', 'safari14.1'],
    legalComments: 'none',
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

const script = await bundled('page.js');
const style = await bundled('page.css');
// Either would end or swallow the script element before its time.
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the bundle holds markup');

const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;
const parts = { '@POLICY@': policy, '@STYLE@': style, '@SCRIPT@': script };
const page = readFileSync(join(here, 'template.html'), 'utf8').replace(
  /@(POLICY|STYLE|SCRIPT)@/g,
  (name) => parts[name],
);

if (page.split(kPlace).length !== 2) throw new Error(`expected ${kPlace} once in the page`);
if (Buffer.byteLength(page) > kLargest) throw new Error(`the page has more than ${kLargest} bytes`);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${(Buffer.byteLength(page) / 1000).toFixed(1)} kB`);
