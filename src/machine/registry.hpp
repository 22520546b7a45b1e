// SPDX-License-Identifier: Apache-2.0
//
// The registry of machines: everything that is known of a machine stands in its entry, at the end of the file that
// implements it. Help, refusals, defaults and factories are read from here; nobody else knows a machine by name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "machine/machine.hpp"
#include "machine/msvr.hpp"
#include "machine/reduced_machine.hpp"

namespace manyone {

/// Which labelbooks a machine takes.
enum class BookUse {
  any,    ///< every book and code
  coded,  ///< codes with entries -1, 0 and 1 only
  own,    ///< none but its own
};

/// Whether a machine has a bias term.
enum class BiasUse {
  never,
  optional,
  with_centred_books,  ///< optional, where codewords sum to 0: with others the bias alone would fit every row
  always,
};

/// What a machine on the whole kernel matrix is made from.
struct MachineChoices {
  LabelSpace labels;
  bool bias = false;
  SolverChoice solver;

  /// How far the conditions of a quadratic program may be violated.
  double tolerance() const { return solver.accuracy.value_or(1e-3); }
};

/// What a machine on columns of kernel values is made from. What it refers to outlives it.
struct ColumnChoices {
  const Execution& execution;
  RegressionChoice regression;
  LabelSpace labels;                   ///< empty for a machine whose decoder is fitted
  std::optional<Matrix> trained_code;  ///< L x q where every column of a code is trained as a problem of its own
  bool bias = false;
  const KernelColumns& columns;
  const GroupedSums& all;  ///< over all rows, of the columns minus the shift
  Vector shift;
};

struct MachineEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view cost;       ///< flops
  std::string_view source;     ///< the paper
  std::string_view parameter;  ///< "ridge" or "cost" (= 1/ridge): the name its paper uses

  std::string_view usual_book = "indicator";
  BookUse books = BookUse::any;
  BiasUse bias = BiasUse::never;
  bool label_kernel = false;    ///< takes a kernel on labels
  bool program = false;         ///< a quadratic program, solved to an accuracy
  bool chooses_solver = false;  ///< takes SolverChoice::kind
  bool learns_labels = false;   ///< takes SolverChoice::learning

  // Decoding. Outputs that are scores of the classes are compared, those of pairs of classes vote.
  std::string_view usual_decoder = "loss:square";  ///< of other columns of a code
  bool decodes_books =
      false;  ///< outputs come near the codewords of a book of -1 and 1, which may be decoded as a code
  bool fitted_decoder = false;  ///< its decoder is fitted to outputs for indicators

  // On columns of kernel values at centres.
  PenaltyKind usual_penalty = PenaltyKind::rkhs;
  bool own_penalty = false;          ///< takes no other
  bool centres_have_labels = false;  ///< centres are rows whose classes it needs
  bool weighs_columns = false;       ///< sums are of kernel values times inner products of codewords
  bool encodes_targets = false;      ///< outputs are those for indicators times the codewords, not the scores

  /// Either may be absent: a machine without the first takes nothing but columns, one without the second none.
  std::unique_ptr<Machine> (*on_kernel)(MachineChoices) = nullptr;
  std::unique_ptr<ReducedMachine> (*on_columns)(ColumnChoices) = nullptr;

  bool takes_bias() const { return bias == BiasUse::optional || bias == BiasUse::with_centred_books; }
};

/// In the order they are shown to users.
std::span<const MachineEntry> machines();

/// What is used where nothing is asked for: on the whole kernel matrix, and where a table is too large for one.
const MachineEntry& usual_machine();
const MachineEntry& usual_machine_on_columns();
/// One SVM for each pair of classes, decoded by votes: what LIBSVM's models are.
const MachineEntry& machine_of_svm_pairs();

/// Throws ConfigError that lists the names and suggests the nearest.
const MachineEntry& machine_from_name(std::string_view name);

/// "a, b, c": machines with a trait, for messages.
std::string machines_with(bool MachineEntry::*trait);

/// Throws ConfigError when a bias is asked of a machine that takes none.
void require_bias_fits(const MachineEntry& entry, bool asked);

/// Makes a machine for the whole kernel matrix. Throws ConfigError when there is none of this name, or when the book,
/// the kernel on labels or the bias do not go with it.
std::unique_ptr<Machine> make_machine(const MachineEntry& entry, MachineChoices choices);
std::unique_ptr<Machine> make_machine(std::string_view name, LabelSpace labels, bool bias, SolverChoice solver = {});

}  // namespace manyone
