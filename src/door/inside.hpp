// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the handles of the door, and how its values become the library's own and back. The door's types
// are in manyone::abi_0, of which all is exported, and hide the library's of the same name there; what is in
// manyone::door stays inside.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "backend/runtime.hpp"
#include "data/dataset.hpp"
#include "data/table_reader.hpp"
#include "manyone/classifier.hpp"
#include "manyone/matrix.hpp"
#include "manyone/recipe.hpp"
#include "manyone/run.hpp"
#include "manyone/table.hpp"
#include "model/model.hpp"
#include "model/recipe.hpp"

namespace manyone::abi_0 {

struct Table::Inside {
  Dataset data;
};

struct Classifier::Inside {
  manyone::Model model;
};

}  // namespace manyone::abi_0

namespace manyone::door {

/// A search or a training that a program asks for: on threads of its own, with an ear for notes, ended by the program's
/// stop.
class Call {
 public:
  explicit Call(const abi_0::Run& run);

  Execution execution() const { return runtime_.execution(); }
  /// What was noted, in the words of a program.
  const std::vector<std::string>& notes() const { return ear_.notes; }

 private:
  /// Hands on what it hears, and keeps the notes.
  struct Ear final : Observer {
    explicit Ear(Observer* further) : listener(further) {}
    void begin(std::string_view task, double total) override;
    void update(double done, std::string_view state) override;
    void end() override;
    void note(const Words& message) override;

    Observer* listener;
    std::vector<std::string> notes;
  };

  Ear ear_;
  Runtime runtime_;
  std::stop_callback<std::function<void()>> stop_;
};

/// `kernel_values`: how many are computed, about, where that may be too little for threads.
std::unique_ptr<Backend> backend_of(const abi_0::Run& run, std::optional<double> kernel_values = {});
MemoryBudget memory_of(const abi_0::Run& run);
/// To the observer of a run, if there is one.
void tell(const abi_0::Run& run, const std::vector<Words>& notes);

ReadOptions for_library(const abi_0::ReadOptions& options, const abi_0::Run& run);
BlockOptions for_library(const abi_0::FileForm& form, const abi_0::Run& run);
/// `rows`: of the table, where there is one.
Recipe for_library(const abi_0::Recipe& recipe, std::optional<Index> rows);
Matrix for_library(abi_0::MatrixView numbers);
abi_0::Matrix for_program(ConstView numbers);
abi_0::Estimate for_program(const CvSummary& estimate);

/// Throws InputError for a view that cannot be one.
void check(abi_0::MatrixView rows);
/// Some rows of a view: where they are if there are no gaps, else a copy.
Features rows_of(abi_0::MatrixView rows, Index first, Index count);

}  // namespace manyone::door

namespace manyone::abi_0 {
using namespace door;
}
