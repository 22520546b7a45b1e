// SPDX-License-Identifier: Apache-2.0
//
// Colours of errors on a search surface: steps of page.css (--heat-0 worst … --heat-9 best), so that they follow the
// theme. By the square root of the distance from the best, as what matters is told apart near the best.

const kSteps = 10;

export function heatScale(best, worst) {
  const span = worst - best || 1;
  return {
    colour: (error) =>
      `var(--heat-${Math.min(kSteps - 1, Math.floor(kSteps * (1 - Math.sqrt((error - best) / span))))})`,
    /// Errors where the steps begin, best first, for the legend.
    steps: Array.from({ length: kSteps }, (_, k) => ({
      colour: `var(--heat-${kSteps - 1 - k})`,
      from: best + span * (k / kSteps) ** 2,
      to: best + span * ((k + 1) / kSteps) ** 2,
    })),
  };
}
