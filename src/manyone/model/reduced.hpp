// SPDX-License-Identifier: Apache-2.0
//
// Training machines with centres (machine/msvr) from rows that are only passed over: what a recipe means for a table,
// the passes it takes, and the classifier that comes out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "manyone/data/table_stream.hpp"
#include "manyone/machine/fold_sums.hpp"
#include "manyone/model/classifier.hpp"

namespace manyone {

/// A labelled table whose rows are passed over in blocks, as often as needed.
class RowSource {
 public:
  using Use = std::function<void(const Features& unscaled, std::span<const int> labels, Index first_row)>;

  virtual ~RowSource() = default;
  virtual void pass(const Use& use) const = 0;
  virtual const Schema& schema() const = 0;
  virtual const std::vector<std::string>& classes() const = 0;
  virtual std::vector<Index> class_counts() const = 0;
  virtual const std::string& name() const = 0;
  virtual bool sparse() const = 0;
  /// Rows of the file that were left out for missing values.
  virtual Index dropped() const = 0;

  Index rows() const;
  Index features() const { return schema().features(); }
};

/// A table in memory, which outlives it.
class DatasetRows final : public RowSource {
 public:
  explicit DatasetRows(const Dataset& data) : data_(data) {}
  void pass(const Use& use) const override;
  const Schema& schema() const override { return data_.schema; }
  const std::vector<std::string>& classes() const override { return data_.classes; }
  std::vector<Index> class_counts() const override;
  const std::string& name() const override { return data_.source; }
  bool sparse() const override { return data_.features.sparse(); }
  Index dropped() const override { return data_.dropped; }

 private:
  const Dataset& data_;
};

/// A table that stays on disk, which outlives it.
class StreamedRows final : public RowSource {
 public:
  explicit StreamedRows(const TableStream& stream) : stream_(stream) {}
  void pass(const Use& use) const override { stream_.pass(use); }
  const Schema& schema() const override { return stream_.schema(); }
  const std::vector<std::string>& classes() const override { return stream_.classes(); }
  std::vector<Index> class_counts() const override;
  const std::string& name() const override { return stream_.source(); }
  bool sparse() const override { return stream_.sparse(); }
  Index dropped() const override { return stream_.dropped(); }

 private:
  const TableStream& stream_;
};

/// Rows a sample holds at most.
constexpr Index kSampleRows = 20000;

/// A table made ready: its scaling, and rows in memory that stand for it - all of them, or a draw in which every class
/// has its share. Which rows are drawn depends on the seed and their numbers alone.
struct PreparedTable {
  const RowSource& source;
  Scaling scaling;
  std::vector<Index> rows;          ///< of the sample: their numbers in the table, ascending
  std::vector<int> labels;          ///< of the sample
  Features features;                ///< of the sample, scaled
  Vector weights;                   ///< of the sample, as the recipe says; empty when all are 1
  std::vector<Index> class_counts;  ///< of the table

  Index table_rows() const;
  Index classes() const { return static_cast<Index>(class_counts.size()); }
  bool whole() const { return static_cast<Index>(rows.size()) == table_rows(); }
};

/// In one pass.
PreparedTable prepare(const Execution& execution, const RowSource& source, const Recipe& recipe,
                      Index size = kSampleRows);

/// What the machine of a recipe becomes for a table: onelsm while its kernel matrix is within reach, else msvr, with as
/// many centres as memory and `seconds` (if given) allow.
struct MachineChoice {
  std::string machine;
  std::string centres;  ///< empty: not reduced
};
MachineChoice choose_machine(const Execution& execution, const RowSource& table, std::optional<double> seconds);

/// As many centres as fit into memory, and into `seconds` if given, for training on so many rows.
Index affordable_centres(const Execution& execution, Index rows, Index features, Index classes,
                         std::optional<double> seconds);

/// Weights of rows of the table, as a recipe says; empty when all are 1.
class RowWeights {
 public:
  RowWeights(const Recipe& recipe, std::span<const Index> class_counts);
  /// Of rows first, first + 1, ...
  Vector of(std::span<const int> labels, Index first) const;
  Vector of(std::span<const int> labels, std::span<const Index> rows) const;

 private:
  double of(int label, Index row) const;
  const Recipe& recipe_;
  Vector of_class_;
};

/// The fold of a row of a table that is passed over: random, from the seed and the row's number.
int fold_of_row(std::uint64_t seed, Index row, int folds);

/// What a reduced machine regresses on, for one sigma: centres are chosen among the rows of the sample.
KernelColumns columns_for(const Execution& execution, const Recipe& recipe, double sigma, const PreparedTable& table);

/// How many centres those are; nothing when they are features or come from a file.
std::optional<Index> centres_of(const Recipe& recipe, Index table_rows);

/// How its regression is penalised; for kernel PCA also how many components it keeps.
MsvrChoice choice_for(const Recipe& recipe, Index table_rows);

/// Outputs in the recipe's code and the decoder that goes with them.
class ReducedDecoding {
 public:
  ReducedDecoding(const Recipe& recipe, std::span<const Index> class_counts);

  /// Nothing but sums is needed, unless the decoder is ssvm.
  bool needs_rows() const { return recipe_.machine == "msvr" && kind() == DecodeKind::ssvm; }
  DecodeKind kind() const;
  /// L x q: outputs are indicator outputs times this.
  Matrix code(const MsvrFit& fit) const;
  /// `seen`: the sums the fit was made from. `outputs`: indicator outputs of training rows, where rows are needed.
  Decoder decoder(const Backend& backend, const MsvrFit& fit, const Matrix& code, const GroupedSums& seen,
                  const Matrix& outputs = {}, std::span<const int> labels = {}, const Vector& weights = {}) const;

 private:
  Index classes() const { return static_cast<Index>(counts_.size()); }
  Vector priors(const GroupedSums& seen) const;

  Recipe recipe_;
  std::vector<Index> counts_;
  std::optional<Decoder> plain_;  // of machines other than msvr
  Matrix given_priors_;
};

/// Sums of all rows at one sigma, fold by fold.
struct PassedRows {
  KernelColumns columns;
  Vector shift;
  std::vector<GroupedSums> folds;

  GroupedSums all() const;
};
PassedRows pass_rows(const Execution& execution, const Recipe& recipe, const PreparedTable& table, double sigma,
                     int folds);

/// The classifier from such sums, without calibration. Throws ConfigError when the ridge is too small.
Classifier train_reduced(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                         const PassedRows& passed, double ridge);

}  // namespace manyone
