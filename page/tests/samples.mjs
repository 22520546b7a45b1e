// SPDX-License-Identifier: Apache-2.0
//
// Results as docs/result-schema.md has them, from pseudo-random numbers that are the same on every run.

/// Mulberry32: 32 bits of state are enough for pictures.
function random(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const head = (kind, command, data) => ({
  format: 'manyone-result',
  version: 1,
  kind,
  command,
  made: { version: '0.1.0' },
  data,
});

/// Points around a centre per class; each row is given the nearest centre, which is where confusion comes from.
function cloud(labels, rowsOf, spread, rng) {
  const L = labels.length;
  const centres = labels.map((_, i) => {
    const turn = (2 * Math.PI * i * 0.38196601125) / 1;
    const radius = 1.4 * Math.sqrt(i + 0.6);
    return [radius * Math.cos(turn), radius * Math.sin(turn)];
  });
  const rows = [];
  labels.forEach((_, label) => {
    for (let k = 0; k < rowsOf(label); k += 1) {
      const at = [centres[label][0] + spread * rng.normal(), centres[label][1] + spread * rng.normal()];
      const gaps = centres.map((c) => Math.hypot(c[0] - at[0], c[1] - at[1]) ** 2);
      const weights = gaps.map((g) => Math.exp(-g / (2.4 * spread * spread)));
      const total = weights.reduce((a, b) => a + b, 0);
      const predicted = gaps.indexOf(Math.min(...gaps));
      rows.push({ x: at[0], y: at[1], label, predicted, probability: weights[predicted] / total });
    }
  });
  return { L, centres, rows };
}

function evaluation(labels, rows) {
  const L = labels.length;
  const counts = labels.map(() => new Array(L).fill(0));
  for (const row of rows) counts[row.label][row.predicted] += 1;
  const n = rows.length;
  const right = counts.reduce((sum, row, i) => sum + row[i], 0);
  const perClass = labels.map((label, i) => {
    const own = counts[i].reduce((a, b) => a + b, 0);
    const predicted = counts.reduce((sum, row) => sum + row[i], 0);
    const recall = own > 0 ? counts[i][i] / own : null;
    const precision = predicted > 0 ? counts[i][i] / predicted : null;
    const f1 = recall + precision > 0 ? (2 * recall * precision) / (recall + precision) : null;
    return { label, rows: own, predicted, precision, recall, f1 };
  });
  const reliability = [];
  for (let b = 0; b < 10; b += 1) {
    const inside = rows.filter((row) => Math.min(9, Math.floor(10 * row.probability)) === b);
    const share = (of) => (inside.length > 0 ? inside.reduce((sum, row) => sum + of(row), 0) / inside.length : null);
    reliability.push({
      low: b / 10,
      high: (b + 1) / 10,
      rows: inside.length,
      confidence: share((row) => row.probability),
      accuracy: share((row) => Number(row.label === row.predicted)),
    });
  }
  return {
    n,
    error: 1 - right / n,
    balanced_error: perClass.reduce((sum, c) => sum + 1 - c.recall, 0) / L,
    confusion: { labels, counts },
    per_class: perClass,
    log_loss: 0.143,
    brier: 0.071,
    calibration_error:
      reliability.reduce(
        (sum, bin) => sum + (bin.rows > 0 ? bin.rows * Math.abs(bin.confidence - bin.accuracy) : 0),
        0,
      ) / n,
    reliability,
  };
}

/// A bowl over (log2 sigma, log2 ridge).
const bowl = (s, r, best) =>
  Math.min(0.9, best + 0.012 * (s - 0.5) ** 2 + 0.005 * (r + 5) ** 2 + 0.004 * Math.max(0, s) * Math.abs(r + 5));

function grid(best, rng) {
  const out = [];
  for (let s = -4; s <= 4; s += 1) {
    for (let r = -10; r <= 2; r += 1.5)
      out.push({
        sigma: 2 ** s,
        ridge: 2 ** r,
        error: bowl(s, r, best) + 0.004 * rng.uniform(),
        std: 0.004 + 0.002 * rng.uniform(),
      });
  }
  return out;
}

function scattered(best, count, rng, key = 'ridge') {
  return Array.from({ length: count }, () => {
    const [s, r] = [-4 + 8 * rng.uniform(), -10 + 12 * rng.uniform()];
    return { sigma: 2 ** s, [key]: 2 ** r, error: bowl(s, r, best), std: null };
  });
}

function regionsOf(cloudData, rng) {
  const { centres, rows } = cloudData;
  const far = Math.max(...centres.map((c) => Math.hypot(...c))) + 1;
  const [width, height] = [80, 80];
  const classes = [];
  for (let r = 0; r < height; r += 1) {
    for (let c = 0; c < width; c += 1) {
      const at = [-far + (2 * far * (c + 0.5)) / width, -far + (2 * far * (r + 0.5)) / height];
      const gaps = centres.map((z) => Math.hypot(z[0] - at[0], z[1] - at[1]));
      classes.push(gaps.indexOf(Math.min(...gaps)));
    }
  }
  return {
    features: ['feature-0', 'feature-1'],
    x: [-far, far],
    y: [-far, far],
    width,
    height,
    classes,
    points: rows.filter(() => rng.uniform() < 0.4).map(({ x, y, label }) => ({ x, y, label })),
  };
}

/// A fit with all its figures.
function fitted({ labels, rowsOf, spread, seed, name, surface, rounds, nested, parameter = 'ridge' }) {
  const rng = random(seed);
  const data = cloud(labels, rowsOf, spread, rng);
  const n = data.rows.length;
  const tested = evaluation(labels, data.rows);
  const cells = surface(tested.error, rng);
  const best = cells.reduce((a, b) => (b.error < a.error ? b : a));
  const step = Math.ceil(n / 2000);
  const shown = data.rows.filter((_, i) => i % step === 0);
  return {
    ...head('fit', `manyone fit ${name} -o model.safetensors --folds 10 --seed 1 --json`, {
      name,
      rows: n,
      features: 10,
      fingerprint: '9f2c61d07b4e8a35',
    }),
    machine: parameter === 'cost' ? 'vo-lssvm' : 'onelsm',
    labelbook: 'indicator',
    label_kernel: 'linear',
    decode: 'argmax',
    kernel: { name: 'gaussian', sigma: best.sigma },
    [parameter]: best[parameter],
    bias: true,
    weights: 'uniform',
    scale: 'range',
    seed: 1,
    search: 'grid',
    cv: { folds: 10, repeats: 1, error: tested.error, std: null, rows: n },
    nested: nested ? { folds: 10, error: tested.error + 0.008, chosen: [] } : null,
    surface: cells,
    ...(rounds
      ? { rounds: [{ rows: Math.round(n / 4), surface: scattered(tested.error + 0.02, 24, rng, parameter) }] }
      : {}),
    temperature: 0.31,
    centres: n,
    seconds: { read: 0.004, kernel: 0.121, solve: 0.038, select: 0.734, total: 0.912 },
    n,
    d: 10,
    classes: labels,
    model: 'model.safetensors',
    held_out: {
      ...tested,
      figures: {
        projection: {
          rows: n,
          shown: shown.length,
          explained: [0.562, 0.214],
          points: shown.map(({ x, y, label, predicted }) => ({ x, y, label, predicted })),
        },
        regions: regionsOf(data, rng),
      },
    },
  };
}

const kVowels = ['hid', 'hId', 'hEd', 'hAd', 'hYd', 'had', 'hOd', 'hod', 'hUd', 'hud', 'hed'];

export const vowel = () =>
  fitted({ labels: kVowels, rowsOf: () => 48, spread: 0.62, seed: 11, name: 'vowel.train.csv', surface: grid });

export const hundred = () =>
  fitted({
    labels: Array.from({ length: 100 }, (_, i) => `species ${String(i + 1).padStart(3, '0')}`),
    rowsOf: (i) => 20 + ((i * 7) % 60),
    spread: 0.8,
    seed: 100,
    name: 'leaves.csv',
    surface: (best, rng) => scattered(best, 40, rng, 'cost'),
    rounds: true,
    nested: true,
    parameter: 'cost',
  });

/// Two classes have one direction to be seen from; a handful of rows lie far out.
export const ward = () => {
  const result = fitted({
    labels: ['healthy', 'ill'],
    rowsOf: (i) => (i === 0 ? 120 : 80),
    spread: 0.8,
    seed: 8,
    name: 'ward.csv',
    surface: grid,
    nested: true,
  });
  const map = result.held_out.figures.projection;
  map.explained = [1];
  for (const point of map.points) point.y = 0;
  return result;
};

/// Classes of a single row, which are far from everything.
export const lonely = () => {
  const result = fitted({
    labels: ['common', 'frequent', 'usual', ...Array.from({ length: 7 }, (_, i) => `lonely ${i}`)],
    rowsOf: (i) => (i < 3 ? 60 : 1),
    spread: 0.7,
    seed: 21,
    name: 'lonely.csv',
    surface: grid,
  });
  const { points } = result.held_out.figures.projection;
  for (const point of points.filter((p) => p.label > 2)) point.x = 1e5 * (point.label - 5);
  return result;
};

export const kHostile = [
  '</script><img src=x onerror="window.pwned=1">',
  `"'&<b>bold</b>`,
  '',
  '   ',
  'שלום עולם\u202e evil',
  'very '.repeat(60) + 'long',
  'line\nbreak\ttab',
  '<!-- comment',
  '${7*7} {{x}} __proto__',
];

export const hostile = () => {
  const result = fitted({
    labels: kHostile,
    rowsOf: () => 20,
    spread: 0.9,
    seed: 5,
    name: '<svg onload=window.pwned=1>.csv',
    surface: (best, rng) => scattered(best, 25, rng),
  });
  result.command =
    `manyone fit '</script><script>window.pwned=1</script>.csv' -o "a b.safetensors" ` + `${'--long '.repeat(40)}`;
  result.held_out.figures.regions.features = ['<img src=x onerror=window.pwned=1>', ''];
  return result;
};

export const flawless = () => {
  const labels = ['healthy', 'ill'];
  const rng = random(2);
  const { rows } = cloud(labels, (i) => (i === 0 ? 120 : 80), 0.2, rng);
  return {
    ...head('evaluate', 'manyone evaluate model.safetensors ward.test.csv --json', {
      name: 'ward.test.csv',
      rows: rows.length,
      features: 7,
      fingerprint: '51c0ffee51c0ffee',
    }),
    ...evaluation(
      labels,
      rows.map((row) => ({ ...row, predicted: row.label, probability: 0.9 + 0.0999 * rng.uniform() })),
    ),
  };
};

/// A search over a kernel without a width: the surface is a curve.
export const linear = () => {
  const cells = Array.from({ length: 13 }, (_, i) => ({
    ridge: 2 ** (i - 10),
    error: 0.21 + 0.003 * (i - 6) ** 2,
    std: 0.01,
  }));
  return {
    ...head('tune', 'manyone tune glass.csv --kernel linear --json', {
      name: 'glass.csv',
      rows: 214,
      features: 9,
      fingerprint: '00aa11bb22cc33dd',
    }),
    machine: 'onelsm',
    labelbook: 'indicator',
    label_kernel: 'linear',
    kernel: { name: 'linear' },
    ridge: 2 ** -4,
    bias: false,
    weights: 'balanced',
    scale: 'range',
    seed: 7,
    search: 'grid',
    cv: { folds: 'loo', repeats: 1, error: 0.21, std: null, rows: 214, majority_error: 0.645 },
    surface: cells,
    seconds: { read: 0.001, kernel: 0.002, solve: 0, select: 0.05, total: 0.054 },
    n: 214,
    d: 9,
    classes: ['1', '2', '3', '5', '6', '7'],
  };
};

export const comparison = (setNames = ['vowel', 'glass', 'letter']) => {
  const rng = random(42);
  const names = ['onelsm', 'vo-lssvm', 'svm-ovo', 'ls-ova'];
  const parameters = ['ridge', 'cost', 'cost', 'ridge'];
  const sets = setNames.map((name, s) => ({
    name,
    rows: [528, 214, 2000][s % 3],
    features: [10, 9, 16][s % 3],
    classes: [11, 6, 26][s % 3],
    machines: names.map((machine, k) => {
      const error = 0.04 + 0.11 * (s % 3) + 0.022 * k * k * 0.6 + 0.004 * rng.normal();
      const folds = Array.from({ length: 10 }, (_, f) => ({
        repeat: Math.floor(f / 2),
        fold: f % 2,
        error: error + 0.01 * rng.normal(),
        sigma: 1,
        [parameters[k]]: 0.125,
      }));
      return {
        name: machine,
        error,
        std: 0.006 + 0.006 * rng.uniform(),
        balanced_error: error + 0.01,
        seconds: (0.2 + s) * 4 ** k * 0.3,
        folds,
      };
    }),
  }));
  const pairs = sets.flatMap((set) =>
    set.machines.flatMap((first, i) =>
      set.machines.slice(i + 1).map((second) => {
        const difference = first.error - second.error;
        const half = 0.028 + 0.012 * rng.uniform();
        const p = Math.min(1, Math.exp(-(((2 * difference) / half) ** 2)));
        const holm = Math.min(1, 6 * p);
        const verdict =
          holm < 0.05
            ? `${difference < 0 ? first.name : second.name} makes fewer errors than ` +
              `${difference < 0 ? second.name : first.name} (p = ${holm.toPrecision(2)}).`
            : `No clear difference between ${first.name} and ${second.name} (p = ${holm.toPrecision(2)}).`;
        return {
          set: set.name,
          first: first.name,
          second: second.name,
          test: '5x2cv F',
          difference,
          low: difference - half,
          high: difference + half,
          confidence: 0.95,
          statistic: 5.1,
          p,
          holm_p: holm,
          verdict,
        };
      }),
    ),
  );
  return {
    ...head(
      'compare',
      `manyone compare ${setNames.map((name) => `${name}.csv`).join(' ')} --machines ${names.join(',')} --json`,
      sets.map((set, i) => ({
        name: `${set.name}.csv`,
        rows: set.rows,
        features: set.features,
        fingerprint: `${i}a2b3c4d5e6f7089`,
      })),
    ),
    protocol: '5x2cv',
    machines: names.map((name, k) => ({
      name,
      machine: name,
      kernel: { name: 'gaussian' },
      [parameters[k]]: null,
      search: 'grid',
    })),
    seconds: { total: 92.4 },
    sets,
    pairs,
    ...(sets.length > 1
      ? {
          ranks: {
            names,
            ranks: [1.33, 1.67, 3, 4],
            friedman: { chi_square: 8.2, F: 20.5, p: 0.0015 },
            critical_difference: 2.71,
            alpha: 0.05,
          },
        }
      : {}),
  };
};

export const single = () => comparison(['vowel']);

/// Two machines with the same error, from Python.
export const equals = () => {
  const result = comparison(['vowel']);
  const [set] = result.sets;
  set.machines = set.machines.slice(0, 2).map((machine) => ({ ...machine, error: 0.047 }));
  result.machines = result.machines.slice(0, 2);
  const [pair] = result.pairs;
  result.pairs = [{ ...pair, difference: 0, low: -0.03, high: 0.03, p: 1, holm_p: 1 }];
  result.command = 'manyone.compare(...)';
  return result;
};

/// Names that differ in the middle only, and most rows where the model is unsure.
export const alike = () => {
  const result = fitted({
    labels: Array.from({ length: 48 }, (_, i) => `class number ${i + 1} with a long name`),
    rowsOf: () => 12,
    spread: 0.9,
    seed: 48,
    name: 'alike.csv',
    surface: grid,
  });
  result.held_out.reliability = [0.08, 0.16, 0.24, 0.34, 0.95].map((confidence, b) => ({
    low: Math.floor(10 * confidence) / 10,
    high: Math.floor(10 * confidence) / 10 + 0.1,
    rows: [200, 150, 120, 100, 6][b],
    confidence,
    accuracy: confidence,
  }));
  return result;
};

export const reproduced = () => ({
  classes: ['a', '<i>b</i>'],
  views: [
    {
      dataset: 'vowel',
      code: 'optimal',
      points: Array.from({ length: 20 }, (_, i) => ({ x: i % 2 + i / 40, y: (i * 7) % 5, class: ['a', '<i>b</i>'][i % 2] })),
    },
  ],
  ...head('reproduce', 'manyone reproduce honeine-2 --json', {
    name: 'vowel',
    rows: 528,
    features: 10,
    fingerprint: 'aa',
  }),
  table: 'honeine-2',
  title: 'Table 2: errors of vector-output machines',
  rows: [
    { set: 'vowel', machine: 'onelsm', published: 1.2, ours: 1.1 },
    { set: 'glass', machine: 'onelsm', published: 27.1, ours: 27.6 },
  ],
  figures: {
    regions: { features: ['width', 'length'], x: [0, 2], y: [0, 2], width: 2, height: 2, classes: [0, 0, 0, 1], points: [{ x: 1.5, y: 1.5, label: 1 }] },
    code_lengths: ['vowel', '<b>glass</b>'].map((name, set) => ({
      name,
      codes: ['optimal', 'indicator', 'random'].map((code, k) => ({
        name: code,
        ...(code === 'random' && { runs: [0.03, 0.07].map((far) => Array.from({ length: 10 - 5 * set }, (_, i) => far + 0.6 * Math.exp(-(i + 1) / 3.5))) }),
        lengths: Array.from({ length: 10 - 5 * set }, (_, i) => i + 1),
        errors: Array.from({ length: 10 - 5 * set }, (_, i) => 0.05 + 0.6 * Math.exp(-(i + 1) / (1.5 + k))),
      })),
    })),
  },
});

export const newer = () => ({ ...flawless(), version: 2 });
export const foreign = () => ({ ...flawless(), format: 'something-else' });
/// A fit with given settings: nothing was measured.
export const bare = () => ({
  ...head('fit', 'manyone fit iris.csv --sigma 1 --ridge 1 -o m --json', {
    name: 'iris.csv',
    rows: 150,
    features: 4,
    fingerprint: 'bb',
  }),
  machine: 'onelsm',
  labelbook: 'indicator',
  kernel: { name: 'gaussian', sigma: 1 },
  ridge: 1,
  search: 'fixed',
  cv: null,
  nested: null,
  surface: [],
  seed: 1,
  seconds: { read: 0.001, kernel: 0, solve: 0.002, select: 0, total: 0.003 },
  n: 150,
  d: 4,
  classes: ['setosa', 'versicolor', 'virginica'],
  model: 'm',
});
