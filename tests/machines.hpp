// SPDX-License-Identifier: Apache-2.0
//
// Machines in tests: fitted on plain rows, and their cells with machine and decoder kept together.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "backend/runtime.hpp"
#include "machine/registry.hpp"
#include "selection/kernel_rows.hpp"

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
        rows_(execution, {recipe_, *machine_, decoder_}, data),
        scorer_(execution, rows_, std::move(partitions)) {}

  CellScorer* operator->() { return &scorer_; }
  const Machine& machine() const { return *machine_; }
  const Decoder& decoder() const { return decoder_; }
  /// Scores of every row by a machine that is trained anew on the rows outside its fold.
  Matrix refits(const Folds& folds, const CellParameters& at) const {
    Matrix out;
    const auto held_out = folds.rows();
    for (const auto& test : held_out) {
      std::vector<Index> train;
      for (const auto& other : held_out) {
        if (&other != &test) train.insert(train.end(), other.begin(), other.end());
      }
      std::sort(train.begin(), train.end());
      const Matrix scores = rows_.refit_scores(train, test, at);
      if (out.size() == 0) out = Matrix::Zero(rows_.rows(), scores.cols());
      for (std::size_t i = 0; i < test.size(); ++i) out.row(test[i]) = scores.row(static_cast<Index>(i));
    }
    return out;
  }

 private:
  Recipe recipe_;
  std::unique_ptr<Machine> machine_;
  Decoder decoder_;
  KernelRows rows_;
  CellScorer scorer_;
};

}  // namespace manyone::test
