// SPDX-License-Identifier: Apache-2.0
//
// Machines in tests: fitted on plain rows, and their cells with machine and decoder kept together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manyone/backend/runtime.hpp"
#include "manyone/machine/registry.hpp"
#include "manyone/selection/cells.hpp"

namespace manyone::test {

/// Two threads for all tests of a program.
inline const Runtime& runtime() {
  static const Runtime two(2);
  return two;
}

inline LabelSpace plain_labels(const std::string& book, int classes) {
  LabelSpace out;
  out.book = make_labelbook(book, BookRequest{classes, {}, 1, {}});
  out.gamma = out.book.gram();
  return out;
}

struct FitOptions {
  double ridge = 1;
  Vector weights;
  bool bias = false;
};

/// A machine's expansion on scaled rows.
inline Expansion fit_machine(const Execution& execution, const std::string& name, const Kernel& kernel,
                             const Features& rows, std::vector<int> labels, const LabelSpace& space,
                             const FitOptions& options) {
  const auto machine = make_machine(name, space, options.bias);
  const LabelledRows labelled{std::move(labels), space.classes(), options.weights};
  Coefficients solution = machine->fit(execution, FeatureGram(execution, kernel, rows), labelled, options.ridge);
  Expansion out{kernel, {}, std::move(solution.A), std::move(solution.b)};
  if (!kernel.precomputed()) out.centres = rows;
  return out;
}

/// A CellScorer that owns its recipe, machine and decoder.
class MachineScorer {
 public:
  MachineScorer(const Execution& execution, const CellData& data, Recipe recipe, std::vector<Folds> partitions)
      : recipe_(std::move(recipe)),
        machine_(machine_of(recipe_, data.labels, data.classes)),
        decoder_(decoder_of(recipe_, *machine_)),
        scorer_(execution, data, recipe_, *machine_, decoder_, std::move(partitions)) {}

  CellScorer* operator->() { return &scorer_; }
  const Machine& machine() const { return *machine_; }
  const Decoder& decoder() const { return decoder_; }

 private:
  Recipe recipe_;
  std::unique_ptr<Machine> machine_;
  Decoder decoder_;
  KernelScorer scorer_;
};

}  // namespace manyone::test
