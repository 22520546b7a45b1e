// SPDX-License-Identifier: Apache-2.0
//
// Recipe: every choice that turns a table into a model, as one value. A parameter that is not set is tuned.
// validate() says which choices do not go together; nothing that a user sets is ever silently ignored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/scaling.hpp"
#include "data/splits.hpp"
#include "decoder/decoder.hpp"
#include "kernel/kernel.hpp"
#include "labelbook/labelbook.hpp"
#include "machine/registry.hpp"
#include "manyone/words.hpp"
#include "model/choices.hpp"

namespace manyone {

/// Row weights of the training criterion.
enum class WeightKind {
  uniform,
  balanced,  ///< n / (L n_c): every class weighs the same
  given,     ///< one number per row
};

enum class SearchKind {
  automatic,  ///< starts from the data's own distances; a few well-placed cells
  grid,       ///< every cell of sigma x ridge
  halving,    ///< the grid on subsets first, finalists on all rows
  design,     ///< nested uniform design: 13 + 8 cells
  greedy,     ///< sigma up and down, then the ridge
};

/// Cells 2^low .. 2^high in steps of a factor 2^step.
struct LogRange {
  double low = -4;
  double high = 4;
  double step = 1;

  std::vector<double> values() const;
  bool operator==(const LogRange&) const = default;
};

/// What is tuned.
struct CellParameters {
  double sigma = 1;  ///< ignored by kernels without one
  double ridge = 1;
  bool operator==(const CellParameters&) const = default;
};

/// How a machine is trained on m columns of kernel values instead of all n.
struct Reduction {
  CentreChoice centres;
  std::optional<ReduceKind> kind = {};      ///< not set: stratified
  std::optional<PenaltyKind> penalty = {};  ///< not set: identity for msvr, rkhs for others
  /// In cross-validation held-out rows stay centres, as in Chen et al. 2009: not what new rows see.
  bool centres_from_all = false;
};

/// In the place of a machine's name: what suits the table.
constexpr std::string_view kAutomaticMachine = "auto";

struct Recipe {
  std::string machine{kAutomaticMachine};
  std::string labelbook;  ///< a name or a CSV file; empty: the machine's usual one
  Matrix codewords = {};  ///< numbers in the place of a book by name, which then only names them: L x q
  LabelKernel label_kernel;
  const DecoderEntry* decode = nullptr;  ///< not set: what suits the machine
  std::optional<Index> code_length;      ///< codes of a free length only
  const KernelEntry* kernel = &kGaussian;
  std::optional<double> sigma;   ///< not set: tuned (kernels with a sigma)
  std::optional<int> degree;     ///< polynomial only; default 3
  std::optional<double> offset;  ///< polynomial only; default 1
  std::optional<double> ridge;   ///< not set: tuned; 1/cost for machines with a cost
  bool bias = false;
  SolverChoice solver;                 ///< machines that have a choice
  Reduction reduction;                 ///< machines that reduce only
  std::optional<double> seconds;       ///< that training may take, about: chooses the number of centres
  std::optional<double> decode_cost;   ///< of decoders that take one; not set: 1
  ClassPriors priors;                  ///< of decoders that have some
  bool scale_per_fold = false;         ///< cross-validation refits with a scaling of its own for each training part
  std::optional<ScalingKind> scaling;  ///< default: range; maxabs for sparse rows; none for a precomputed kernel
  WeightKind weights = WeightKind::uniform;
  std::vector<double> row_weights;  ///< WeightKind::given

  FoldPlan folds;
  Index tune_rows =
      3000;            ///< the automatic search looks at, at most: beyond, a cell costs n^3; more are for corrections
  int pass_folds = 3;  ///< folds of the pass over all rows of a table that is tuned on a sample
  int repeats = 1;
  std::uint64_t seed = 1;
  SearchKind search = SearchKind::automatic;
  LogRange sigma_range;                      ///< grid, halving, design
  std::optional<LogRange> ridge_range = {};  ///< the same; not set: 2^-4 .. 2^4 times what the machine finds usual

  /// What is known of the machine, or of the usual one while it is open. Throws ConfigError for a name that is not in
  /// the registry.
  const MachineEntry& entry() const;
  /// The labelbook's name or path.
  std::string_view book() const;
  /// Throws ConfigError that names the parameter and what goes with it.
  void validate() const;
  bool tuned() const { return !ridge || (has_sigma() && !sigma); }
  /// Trained on columns of kernel values (machine/reduced_machine) instead of a square matrix.
  bool reduced() const;
  bool has_sigma() const { return kernel->sigma; }
  /// The kernel with the parameters of the recipe; `tuned_sigma` where sigma is not set.
  Kernel kernel_at(double tuned_sigma) const;
};

std::string_view name_of(SearchKind kind);
/// Throws ConfigError that lists the names.
SearchKind search_from_name(std::string_view name);
bool is_search_name(std::string_view name);
std::string_view name_of(WeightKind kind);
bool is_weight_name(std::string_view name);

/// The weights of a recipe for the given rows; empty when all are 1. Throws ConfigError/InputError for weights <= 0 or
/// of the wrong number.
Vector row_weights(const Recipe& recipe, std::span<const int> labels, Index classes);

/// The book and label Gram matrix of a recipe for these labels. Throws as make_labelbook(), and InputError for a label
/// Gram matrix of the wrong size, not symmetric or not positive semidefinite.
LabelSpace label_space(const Recipe& recipe, std::span<const int> labels, Index classes);

/// What a book is made from, for these labels.
BookRequest book_request(const Recipe& recipe, std::span<const int> labels, Index classes);

/// The machine of a recipe that is not reduced, and the decoder that goes with it. Throws ConfigError when the choices
/// do not go together.
std::unique_ptr<Machine> machine_of(const Recipe& recipe, std::span<const int> labels, Index classes);
/// What to do where memory is too small for the whole kernel matrix.
Words memory_advice(const Recipe& recipe);

Decoder decoder_of(const Recipe& recipe, const Machine& machine);

}  // namespace manyone
