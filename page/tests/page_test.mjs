// SPDX-License-Identifier: Apache-2.0
//
// Opens the page with sample results in a browser: node tests/page_test.mjs [FOLDER for screenshots]
// CHROMIUM names another browser than /usr/bin/chromium, RESULTS a folder with results that the tool wrote (NAME.json),
// which are opened too.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { figures } from '../bundle/figures.mjs';
import * as samples from './samples.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const shots = process.argv[2];
const work = mkdtempSync(join(tmpdir(), 'manyone-page-'));

const kModel = [
  'headline',
  'confusion',
  'classes',
  'projection',
  'reliability',
  'surface',
  'regions',
  'timing',
  'recipe',
];
const kCases = {
  vowel: kModel,
  hundred: kModel,
  ward: kModel,
  lonely: kModel,
  hostile: kModel,
  flawless: ['headline', 'confusion', 'classes', 'reliability', 'recipe'],
  linear: ['headline', 'surface', 'timing', 'recipe'],
  bare: ['headline', 'timing', 'recipe'],
  comparison: ['headline', 'errors', 'differences', 'ranks', 'times', 'recipe'],
  alike: kModel,
  equals: ['headline', 'errors', 'differences', 'times', 'recipe'],
  single: ['headline', 'errors', 'differences', 'times', 'recipe'],
  reproduced: ['reproduction', 'regions', 'code-lengths-1', 'code-lengths-2', 'code-view-1', 'recipe'],
  newer: [],
  foreign: [],
};

// What the page of a result of the tool shows, by the kind of result.
const kOfTool = {
  fit: kModel,
  tune: ['headline', 'surface', 'timing', 'recipe'],
  evaluate: ['headline', 'confusion', 'classes', 'reliability', 'recipe'],
  compare: kCases.single,
};

let failures = 0;
let checks = 0;
function claim(holds, text) {
  checks += 1;
  if (holds) return;
  failures += 1;
  console.error(`FAILED  ${text}`);
}

function filled(name, result = samples[name]()) {
  const json = JSON.stringify(result).replace(/</g, '\\u003c');
  const file = join(work, `${name}.html`);
  writeFileSync(
    file,
    template.replace('<!--MANYONE-RESULT-->', () => json),
  );
  return pathToFileURL(file).href;
}

async function screenshot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const tooltipShown = (page) => page.locator('#tooltip').isVisible();

/// Points at a drawing until something answers: not every place of it holds an item.
/// Over an item, which the keyboard finds: where items are depends on times that were measured.
async function hover(page, svg) {
  await svg.scrollIntoViewIfNeeded();
  await svg.focus();
  await page.keyboard.press('ArrowRight');
  const box = await svg.locator('.cursor').boundingBox();
  await page.keyboard.press('Escape');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return tooltipShown(page);
}

/// Text that is cut by the edge of its drawing, and drawings that are cut without a box to scroll in.
const cutText = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('figure svg[role=img]')].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const id = svg.closest('figure').id;
      const outside = (r, by) => r.left < by.left - 1 || r.right > by.right + 1 || r.top < by.top - 1;
      const texts = [...svg.querySelectorAll('text')].filter((text) => outside(text.getBoundingClientRect(), frame));
      const wide = !svg.closest('.scroll') && frame.right > document.documentElement.clientWidth;
      return [...texts.map((text) => `${id}: ${text.textContent}`), ...(wide ? [`${id} is cut`] : [])];
    }),
  );

/// What only some samples have.
const kClaims = {
  ward: async (page) => {
    claim((await page.locator('#projection path.hill').count()) === 2, 'ward: two classes are two hills, not a line');
    const box = await page.locator('#projection .drawing svg').boundingBox();
    claim(box.height > 200, 'ward: the hills have a height');
    const words = await page.locator('#headline').textContent();
    claim(/do not add up/.test(words), 'ward: the nested headline says why the matrix has other numbers');
  },
  lonely: async (page) => {
    const xs = await page.$$eval('#projection .drawing svg > path', (marks) =>
      marks.map((mark) => Number(mark.getAttribute('transform')?.match(/\(([-\d.]+)/)?.[1])),
    );
    const sorted = xs.filter(Number.isFinite).sort((a, b) => a - b);
    const middle = sorted[Math.floor(0.9 * sorted.length)] - sorted[Math.floor(0.1 * sorted.length)];
    claim(middle > 100, `lonely: single rows far outside do not squeeze the map (${middle} pixels)`);
    claim(/drawn on the edge/.test(await page.locator('#projection figcaption').textContent()), 'lonely: it is said');
  },
  comparison: async (page) => {
    claim(/onelsm/.test(await page.locator('h1').textContent()), 'comparison: the title names the machines');
    const words = await page.locator('#headline').textContent();
    claim(/onelsm/.test(words), 'comparison: the headline names a machine');
    claim(/Holm for all 18 pairs of all 3 tables together/.test(words), 'comparison: what p is corrected for is said');
  },
  equals: async (page) => {
    const words = await page.locator('main').textContent();
    claim(/have the same error on vowel/.test(words), 'equals: machines with the same error are said to have it');
    claim(!/From best to worst/.test(words), 'equals: there is no gap from best to worst');
    claim(/The two differ by no more than chance/.test(words), 'equals: one pair is called the two');
    claim(!/Holm for all/.test(words), 'equals: one pair is corrected for nothing');
    claim(!/The same command/.test(words), 'equals: a call from Python is no command');
    claim((await page.locator('.command').count()) === 0, 'equals: a call from Python is not offered for a shell');
  },
  alike: async (page) => {
    const ticks = await page.$$eval('#confusion svg text.tick', (all) => all.map((text) => text.textContent));
    claim(new Set(ticks).size === 48 && ticks.length === 96, `alike: names on the matrix differ (${new Set(ticks).size})`);
    const names = await page.$$eval('#projection .legend button:not(.all)', (all) => all.map((b) => b.textContent));
    claim(new Set(names).size === 48, `alike: names in the legend differ (${new Set(names).size})`);
    const covered = await page.$eval('#reliability svg', (svg) => {
      const words = [...svg.querySelectorAll('text.hint')].find((text) => text.textContent === 'as it should be');
      const at = words.getScreenCTM();
      const box = words.getBBox();
      return [...svg.querySelectorAll('circle.dot')].filter((dot) => {
        const circle = dot.getBoundingClientRect();
        const middle = new DOMPoint(circle.x + circle.width / 2, circle.y + circle.height / 2).matrixTransform(at.inverse());
        const [dx, dy] = [
          Math.max(box.x - middle.x, 0, middle.x - box.x - box.width),
          Math.max(box.y - middle.y, 0, middle.y - box.y - box.height),
        ];
        return Math.hypot(dx, dy) < circle.width / 2;
      }).length;
    });
    claim(covered === 0, `alike: ${covered} points cover the words on the line`);
  },
  linear: async (page) =>
    claim(
      /most frequent class of the table would be wrong on 64\.5/.test(await page.locator('#headline').textContent()),
      'linear: a search says what guessing would give',
    ),
  tune: async (page) => claim(/iris\.csv/.test(await page.title()), 'tune: the page has a name'),
};

async function checkFigures(page, name, ids) {
  const found = await page.$$eval('main [id]', (nodes) =>
    nodes.filter((n) => n.matches('figure, section')).map((n) => n.id),
  );
  claim(JSON.stringify(found) === JSON.stringify(ids), `${name}: figures ${ids} expected, found ${found}`);
  const unlabelled = await page.$$eval(
    'figure svg[role=img], .picture svg',
    (all) => all.filter((svg) => !svg.getAttribute('aria-label')).length,
  );
  claim(unlabelled === 0, `${name}: ${unlabelled} drawings without a text alternative`);
  const captionless = await page.$$eval('figure:not(#reproduction)', (all) =>
    all.filter((f) => !f.querySelector('figcaption')).map((f) => f.id),
  );
  claim(captionless.length === 0, `${name}: no caption at ${captionless}`);
  for (const svg of await page.locator('figure .drawing svg[role=img]').all()) {
    const id = await svg.evaluate((node) => node.closest('figure').id);
    claim(await hover(page, svg), `${name}: the tooltip appears over ${id}`);
    await page.mouse.move(0, 0);
    await svg.focus();
    await page.keyboard.press('ArrowRight');
    claim(await tooltipShown(page), `${name}: the tooltip appears by the keyboard in ${id}`);
    await page.keyboard.press('Escape');
    claim(!(await tooltipShown(page)), `${name}: Escape hides the tooltip in ${id}`);
  }
  for (const summary of await page.locator('summary').all()) await summary.click();
  await page.waitForTimeout(50); // toggle events come later
  const empty = await page.$$eval('details', (all) => all.filter((d) => d.children.length < 2).length);
  claim(empty === 0, `${name}: ${empty} tables of numbers are empty`);
  for (const summary of await page.locator('summary').all()) await summary.click();
}

/// The last digits of letters' sizes and of turned words are the browser's own.
const rounded = (svg) => svg.replace(/\d+\.\d{3,}/g, (digits) => Number(digits).toFixed(3));

/// The name and the text of the file that a figure is saved as.
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { file: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/// The drawings as files. The page and the tool draw by the same code: what they write differs in nothing.
async function checkSaved(page, name, result) {
  const expected = figures(JSON.stringify(result)).figures ?? {};
  const buttons = await page.locator('button.save').all();
  claim(buttons.length === Object.keys(expected).length, `${name}: ${buttons.length} of ${Object.keys(expected)} can be saved`);
  for (const button of buttons) {
    const id = await button.evaluate((node) => node.closest('figure').id);
    const { file, text } = await saved(page, button);
    claim(file === `${id}.svg`, `${name}: ${id} is saved as ${file}`);
    claim(rounded(text) === rounded(expected[id] ?? ''), `${name}: ${id} saved from the page is what the tool draws`);
    const root = await page.evaluate(
      (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement.localName,
      text,
    );
    claim(root === 'svg', `${name}: ${id}.svg is a drawing (${root})`);
  }
}

async function checkControls(page, name) {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await page.click('button.theme');
  claim(before !== (await background()), `${name}: the theme button changes the colours`);
  await screenshot(page, `${name}-dark`);
  await page.click('button.theme');
  claim(before === (await background()), `${name}: the theme button changes them back`);
  for (const button of await page.locator('.switcher button').all()) {
    await button.click();
    claim((await button.getAttribute('aria-pressed')) === 'true', `${name}: a switch stays pressed`);
  }
  const copy = page.locator('.command button');
  if ((await copy.count()) > 0) {
    await copy.click();
    await page.waitForTimeout(50);
    claim(['Copied', 'Selected'].includes(await copy.textContent()), `${name}: the command can be copied`);
  } else claim(/From Python/.test(await page.locator('#recipe').textContent()), `${name}: where it was called is said`);
  const mute = page.locator('#projection .legend button').first();
  if ((await mute.count()) > 0) {
    await mute.click();
    claim((await page.locator('#projection path[opacity="0.07"]').count()) > 0, `${name}: a muted class fades`);
    const marks = (svg) => svg.split('translate(8,12)').length; // of the legend
    const button = page.locator('#projection button.save');
    const without = marks((await saved(page, button)).text);
    await mute.click();
    claim(marks((await saved(page, button)).text) === without + 1, `${name}: a file has the classes that are not muted`);
    claim((await page.locator('#projection path[opacity="0.07"]').count()) === 0, `${name}: a muted class comes back`);
  }
  const heading = page.locator('#classes thead button').nth(2);
  if ((await heading.count()) > 0) {
    await heading.click();
    const shares = await page.$$eval('#classes tbody td:nth-child(3)', (cells) =>
      cells.map((cell) => parseFloat(cell.textContent)),
    );
    claim(
      shares.every((v, i) => i === 0 || v <= shares[i - 1]),
      `${name}: a click on a heading sorts the classes`,
    );
  }
}

async function check(browser, name, ids, result = samples[name]()) {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 1200, height: 900 });
  const complaints = [];
  const requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => {
    complaints.push('a dialog opened');
    dialog.dismiss();
  });
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    ),
  );
  const url = filled(name, result);
  await page.goto(url);
  await page.waitForTimeout(150);
  await screenshot(page, `${name}-light`);

  await checkFigures(page, name, ids);
  await checkSaved(page, name, result);
  if (ids.length > 0) await checkControls(page, name);
  else
    claim(
      (await page.locator('.problem').count()) === 1 && (await page.locator('figure').count()) === 0,
      `${name}: one sentence instead of figures`,
    );
  claim((await overflow(page)) <= 0, `${name}: no sideways scrolling at 1200 pixels`);

  await kClaims[name]?.(page);

  await page.setViewportSize({ width: 380, height: 760 });
  await page.waitForTimeout(150);
  claim((await overflow(page)) <= 0, `${name}: no sideways scrolling at 380 pixels`);
  const cut = await cutText(page);
  claim(cut.length === 0, `${name}: cut on a phone: ${cut.join(' | ')}`);
  await screenshot(page, `${name}-phone`);

  claim(await page.evaluate(() => window.pwned === undefined), `${name}: nothing in a label was run`);
  claim((await page.locator('img, b, iframe').count()) === 0, `${name}: no markup of a label became an element`);
  claim(complaints.length === 0, `${name}: complaints of the browser: ${complaints.join(' | ')}`);
  const outside = requests.filter((request) => request !== url && request !== 'data:,' && !request.startsWith('blob:'));
  claim(outside.length === 0, `${name}: requests: ${outside.join(' ')}`);
  await page.close();
}

/// Every key but the first three may be absent or null.
async function checkAbsent(browser, name) {
  const page = await browser.newPage();
  let now = '';
  const fail = (text) => claim(false, `${name} without ${now}: ${text}`);
  page.on('console', (message) => message.type() === 'error' && fail(message.text()));
  page.on('pageerror', (error) => fail(String(error)));
  const paths = (node, path = []) =>
    Object.keys(node).flatMap((key) => {
      const value = node[key];
      const inside = value && typeof value === 'object' && !Array.isArray(value) && path.length < 2;
      return [[...path, key], ...(inside ? paths(value, [...path, key]) : [])];
    });
  for (const path of paths(samples[name]()).filter(([key]) => !['format', 'version', 'kind'].includes(key))) {
    for (const value of path.length > 1 ? [undefined] : [undefined, null]) {
      const result = samples[name]();
      const holder = path.slice(0, -1).reduce((node, key) => node[key], result);
      holder[path[path.length - 1]] = value;
      now = `${path.join('.')} (${value})`;
      await page.goto(filled('absent', result));
      claim((await page.locator('main').count()) === 1, `${name} without ${now}: there is a page`);
    }
  }
  await page.close();
}

if (shots) mkdirSync(shots, { recursive: true });
const template = readFileSync(join(here, '../bundle/page.html'), 'utf8');
claim(template.split('<!--MANYONE-RESULT-->').length === 2, 'the place of the result is there once');
claim(!/https?:\/\/(?!www\.w3\.org)/.test(template), 'the page names no address');

const browser = await chromium.launchPersistentContext(join(work, 'profile'), {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  colorScheme: 'light',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  for (const [name, ids] of Object.entries(kCases)) await check(browser, name, ids);
  for (const name of ['vowel', 'flawless', 'comparison']) await checkAbsent(browser, name);
  for (const file of process.env.RESULTS ? readdirSync(process.env.RESULTS) : []) {
    const result = JSON.parse(readFileSync(join(process.env.RESULTS, file), 'utf8'));
    await check(browser, file.replace('.json', ''), kOfTool[result.kind], result);
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
console.log(`${checks - failures} of ${checks} claims hold`);
process.exit(failures > 0 ? 1 : 0);
