// SPDX-License-Identifier: Apache-2.0
#include "selection/fit.hpp"

#include <atomic>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/names.hpp"
#include "manyone/errors.hpp"
#include "model/model_checks.hpp"
#include "selection/problem.hpp"

namespace manyone {

namespace {

constexpr std::size_t kNamedClasses = 5;

/// A class with one row cannot be left out and learned at the same time.
void note_single_rows(const Execution& execution, const RowSource& table) {
  const auto count = table.class_counts();
  std::vector<std::string> single;
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 1) single.push_back(fmt::format("'{}'", table.classes()[c]));
  }
  if (single.empty()) return;
  const std::string names = shortened(single, kNamedClasses);
  execution.observer.note(
      single.size() == 1
          ? fmt::format("class {} has a single row: it is trained, but its own error cannot be estimated", names)
          : fmt::format("{} classes have a single row: they are trained, but their own errors cannot be estimated: {}",
                        single.size(), names));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What follows a search. That was interrupted: throws if it is to stop, else says that it was cut. A first interrupt
/// after the search does not cost the model either.
class Finish final : public Observer {
 public:
  Finish(const Execution& search, const std::optional<Tuning>& tuning, WhenInterrupted when_interrupted)
      : search_(search), keeps_(tuning && when_interrupted == WhenInterrupted::keep_best) {
    if (!tuning || !tuning->interrupted) return;
    if (!keeps_) throw Interrupted();
    said_ = true;
    note(
        "the search was cut: the model is trained with the best parameters so far (Ctrl-C again ends at once, "
        "without)");
  }

  Execution execution() { return {search_.backend, search_.memory, *this, keeps_ ? unheard_ : search_.interrupt}; }

  void begin(std::string_view task, double total) override { search_.observer.begin(task, total); }
  void update(double done, std::string_view state) override {
    search_.observer.update(done, state);
    if (!keeps_ || !search_.interrupt.requested() || said_.exchange(true)) return;
    note("the search is over: the model is finished with what it chose (Ctrl-C again ends at once, without)");
  }
  void end() override { search_.observer.end(); }
  void note(const Words& message) override { search_.observer.note(message); }

 private:
  const Execution& search_;
  bool keeps_;
  std::atomic<bool> said_ = false;
  Interrupt unheard_;
};

}  // namespace

Fit fit(const Execution& search, const Plan& plan, WhenInterrupted when_interrupted) {
  const auto problem = problem_of(search, plan);
  problem->require_training_memory();
  note_single_rows(search, plan.table);
  Fit out;
  CellParameters at{plan.recipe.sigma.value_or(1), plan.recipe.ridge.value_or(1)};
  if (plan.searches()) {
    out.tuning = tune(search, plan, *problem);
    at = out.tuning->best;
  }
  Finish finish(search, out.tuning, when_interrupted);
  const auto start = std::chrono::steady_clock::now();
  out.classifier = problem->train(finish.execution(), at, out.tuning);
  out.solve_seconds = seconds_since(start);
  if (out.tuning) out.classifier.cv = out.tuning->cv;
  require_usable(out.classifier);
  return out;
}

Fit fit(const Execution& execution, const RowSource& table, const Recipe& recipe, PlanWishes wishes) {
  return fit(execution, resolve(execution, recipe, table, std::move(wishes)));
}

Fit fit(const Execution& execution, const Dataset& data, const Recipe& recipe, PlanWishes wishes) {
  return fit(execution, DatasetRows(data), recipe, std::move(wishes));
}

}  // namespace manyone
