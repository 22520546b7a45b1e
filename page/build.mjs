// SPDX-License-Identifier: Apache-2.0
//
// Bundles the page into one self-contained HTML file, bundle/page.html, and its drawings for where there is no browser
// into a module for node, bundle/figures.mjs. Both are committed: building Manyone needs no npm. bundle/SHA256SUMS says
// of which sources they were made (sha256sum -c in this folder). `./dev page` runs this.
//
// The tool puts a result where <!--MANYONE-RESULT--> stands. The policy in the page allows this script and this style
// by their hashes and nothing else, so that a label of a user's table can neither run nor fetch anything.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const kPlace = '<!--MANYONE-RESULT-->';
const kLargest = 300_000; // bytes; a report should be small enough to mail

async function bundled(entry, more = {}) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: 'utf8',
    format: 'iife',
    target: ['es2020', 'chrome90', 'firefox90', 'safari14.1'],
    loader: entry.endsWith('.js') ? { '.css': 'text' } : {},
    legalComments: 'none',
    ...more,
  });
  return { text: result.outputFiles[0].text.trim(), files: Object.keys(result.metafile.inputs) };
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/// The licences of the packages whose code is in the page: they ask to go with every copy of it.
function notices(files) {
  const packages = files.map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean);
  const named = new Map(); // many packages share one text
  for (const name of [...new Set(packages)].sort()) {
    const text = readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8')
      .trim()
      .replace(/--+/g, '-');
    named.set(text, [...(named.get(text) ?? []), name]);
  }
  return [...named].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n');
}

const { text: script, files } = await bundled('src/page.js');
const { text: style } = await bundled('src/page.css');
// Either would end or swallow the script element before its time.
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the bundle holds markup');

const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;
const parts = { '@POLICY@': policy, '@STYLE@': style, '@SCRIPT@': script, '@NOTICES@': notices(files) };
const page = readFileSync(join(here, 'src/template.html'), 'utf8').replace(
  /@(POLICY|STYLE|SCRIPT|NOTICES)@/g,
  (name) => parts[name],
);

if (page.split(kPlace).length !== 2) throw new Error(`expected ${kPlace} once in the page`);
if (Buffer.byteLength(page) > kLargest) throw new Error(`the page has more than ${kLargest} bytes`);
const drawn = await bundled('src/figures.js', { format: 'esm', platform: 'node', target: ['es2022'] });
const module = `${drawn.text}\n/*\n${notices(drawn.files)}\n*/\n`;
mkdirSync(join(here, 'bundle'), { recursive: true });
writeFileSync(join(here, 'bundle/page.html'), page);
writeFileSync(join(here, 'bundle/figures.mjs'), module);

const sources = readdirSync(join(here, 'src')).filter((name) => /\.(js|css|html)$/.test(name));
const summed = [
  ...['build.mjs', 'package.json', 'package-lock.json', 'bundle/page.html', 'bundle/figures.mjs'],
  ...sources.sort().map((name) => `src/${name}`),
];
const sum = (name) => createHash('sha256').update(readFileSync(join(here, name))).digest('hex');
writeFileSync(join(here, 'bundle/SHA256SUMS'), summed.map((name) => `${sum(name)}  ${name}\n`).join(''));
for (const [name, text] of Object.entries({ 'page.html': page, 'figures.mjs': module }))
  console.log(`bundle/${name}: ${(Buffer.byteLength(text) / 1000).toFixed(1)} kB`);
