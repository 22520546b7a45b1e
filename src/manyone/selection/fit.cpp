// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/fit.hpp"

#include <chrono>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone {

namespace {

/// A class with one row cannot be left out and learned at the same time.
void note_single_rows(const Execution& execution, const Dataset& data) {
  std::vector<Index> count(data.classes.size(), 0);
  for (const int label : data.labels) ++count[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 1) {
      execution.observer.note(fmt::format(
          "class '{}' has a single row: it is trained, but its own error cannot be estimated", data.classes[c]));
    }
  }
}

}  // namespace

Fit fit(const Execution& execution, const Dataset& data, const Recipe& recipe, bool nested,
        const std::string& journal) {
  recipe.validate();
  // What training will need, before minutes of tuning.
  const LabelledRows labelled{data.labels, data.class_count(), {}};
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  execution.memory.require(machine->fit_bytes(labelled), fmt::format("{} on {} rows", recipe.machine, data.rows()),
                           "use fewer rows, or raise the limit with --memory");
  note_single_rows(execution, data);
  Fit out;
  CellParameters at{recipe.sigma.value_or(1), recipe.ridge.value_or(1)};
  if (recipe.tuned() || nested) {
    out.tuning = tune(execution, data, recipe, nested, journal);
    if (out.tuning->interrupted) throw Interrupted();
    at = out.tuning->best;
  } else {
    note_indefinite(execution, data, recipe);
  }
  const auto start = std::chrono::steady_clock::now();
  out.classifier = train(execution, data, recipe, at.sigma, at.ridge);
  out.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (out.tuning) {
    out.classifier.temperature = out.tuning->temperature;
    out.classifier.cv = out.tuning->cv;
  } else {
    out.classifier.temperature = calibrate(execution, data, recipe, at);
  }
  return out;
}

}  // namespace manyone
