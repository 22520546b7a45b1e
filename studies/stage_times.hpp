// SPDX-License-Identifier: Apache-2.0
//
// Times of training and of testing at the parameters of a paper (Tables 4 and 5 of Chen et al.), beside LIBSVM's own
// tools on the same rows where they are there. What the paper claims are ratios between methods, so those are shown.
#pragma once

#include "studies/libsvm_tools.hpp"
#include "studies/reproduce.hpp"
#include "studies/table_text.hpp"

namespace manyone {

struct StageCell {
  const PublishedRow* row = nullptr;
  std::size_t set = 0;
  std::optional<LibsvmTimes> ours;   ///< CPU seconds of all threads, and the error
  std::optional<LibsvmTimes> tools;  ///< rows of svm-ovo: svm-train and svm-predict
};

struct StageTimes {
  const PublishedTable* table = nullptr;
  std::vector<StageCell> cells;  ///< row by row, as in the paper
  bool tools = false;            ///< svm-train and svm-predict are there
  int threads = 1;
  bool interrupted = false;

  /// What ratios are of: LIBSVM at the parameters of the paper, by its own tools where they are there.
  const LibsvmTimes* unit(std::size_t set) const;
};

/// Medians of three. LIBSVM is always timed, it is the unit.
StageTimes reproduce_stages(const Execution& execution, const ReproduceChoice& choice, std::span<const FoundSet> found);

std::string stages_text(const StageTimes& times);
Json stages_json(const StageTimes& times);

}  // namespace manyone
