// SPDX-License-Identifier: Apache-2.0
//
// Machine: from kernel values and labels to the coefficients of an expansion, and to the outputs that every row would
// get if its fold had been left out. One class per formulation; the labelbook, the label Gram matrix, the bias and the
// decoder are values it is given. Searches and trainings see machines on the whole kernel matrix only through this,
// those on columns through machine/reduced_machine; prediction and model files see expansions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/splits.hpp"
#include "labelbook/labelbook.hpp"
#include "machine/expansion.hpp"
#include "machine/gram.hpp"
#include "solve/ridge.hpp"

namespace manyone {

class HeldOutMemo;
struct MachineEntry;  // machine/registry

/// What a machine knows of its rows besides kernel values.
struct LabelledRows {
  std::vector<int> labels;
  Index classes = 0;
  Vector weights;  ///< row weights > 0; empty: all 1

  Index rows() const { return static_cast<Index>(labels.size()); }
};

/// Where labels live: a book and the Gram matrix Gamma of its codewords, B B' or a kernel on labels.
struct LabelSpace {
  Labelbook book;
  Matrix gamma;             ///< L x L, positive semidefinite
  bool own_kernel = false;  ///< gamma is not B B'

  Index classes() const { return gamma.rows(); }
};

enum class SolverKind { automatic, direct, iterative };

/// How sbc-kernel learns its kernel on labels: as published, or the problem as it is stated.
enum class LabelLearning { published, simplex };

/// How a system of all rows is solved: a factorisation, or conjugate gradients (automatic: above kIterativeRows).
struct SolverChoice {
  static constexpr Index kIterativeRows = 10000;

  SolverKind kind = SolverKind::automatic;
  std::optional<double> accuracy = {};  ///< relative residual of conjugate gradients (1e-6), or how far the conditions
                                        ///< of a quadratic program may be violated (1e-3)
  LabelLearning learning = LabelLearning::published;

  bool iterative(Index rows) const {
    return kind == SolverKind::iterative || (kind == SolverKind::automatic && rows > kIterativeRows);
  }
};

struct Coefficients {
  Matrix A;  ///< n x q
  Vector b;  ///< q
};

/// What the q outputs of a machine mean.
enum class OutputMeaning {
  scores,   ///< class scores are outputs times code'
  columns,  ///< one binary problem for each column of the code (-1, 0, 1)
  classes,  ///< one-vs-all outputs for 0/1 targets, from which those of every column of the code follow
};

struct OutputCode {
  OutputMeaning meaning = OutputMeaning::scores;
  Matrix code;  ///< L x q (classes: L x F)
};

/// What rows get from machines that were trained without them, at one ridge: outputs (q columns) as they leave a
/// machine, scores (L columns) once they are decoded.
struct HeldOut {
  bool solved = false;                        ///< false: a system is not positive definite
  std::vector<Matrix> of_partition = {};      ///< a row for each row that is left out
  long unfinished = 0;                        ///< quadratic programs that were stopped at their limit of steps
  std::optional<Coefficients> solution = {};  ///< what fit() would find, where it comes with the outputs

  const Matrix& first() const { return of_partition.front(); }
};

/// Storage that a worker keeps from cell to cell.
struct Workspace {
  RidgeInverse inverse;
  SingleRidgeInverse single;
  bool screening = false;       ///< outputs are wanted to tell good cells from bad ones: single precision will do
  HeldOutMemo* memo = nullptr;  ///< where outputs may be known from another machine; may be absent
};

class Machine {
 public:
  explicit Machine(LabelSpace labels) : labels_(std::move(labels)) {}
  virtual ~Machine() = default;

  /// Throws ConfigError when the ridge is too small for this kernel.
  virtual Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                           double ridge) const = 0;
  /// For every ridge, in closed form where there is one. `K` is full and symmetric; it may be used as scratch but is
  /// left as it was.
  virtual std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K,
                                       const LabelledRows& rows, std::span<const Folds> partitions,
                                       std::span<const double> ridges, Workspace& workspace) const = 0;
  virtual OutputCode output_code() const = 0;
  /// Leaves out blocks of rows in turn, of a table too large for heldout(): outputs of the rows of the first block,
  /// then those of the second, and so on. Screening, iterations are stopped early. The price is about that of fit() for
  /// judged_blocks() blocks of a tenth of the rows each.
  virtual HeldOut judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                         std::span<const std::vector<Index>> blocks, double ridge, Workspace& workspace) const;
  virtual std::size_t judged_blocks(Index) const { return 1; }

  /// heldout() is faster when screening.
  virtual bool screens() const { return false; }
  /// A ridge that is neither large nor small for so many rows: searches start around it.
  virtual double ridge_unit(Index) const { return 1; }
  /// The ridge that is to `to` rows what `ridge` is to `from` rows: ridge / n, in the machine's unit, is what carries
  /// over between sizes (SPEC section 15).
  double carried(double ridge, Index from, Index to) const;
  /// Much of the work of heldout() is the same for all ridges.
  virtual bool shares_kernel() const { return false; }
  /// Bytes that fit() and heldout() (besides K) need.
  virtual double fit_bytes(const LabelledRows& rows) const;
  virtual double heldout_bytes(const LabelledRows& rows) const;
  /// Bytes that judged() needs for blocks of so many rows.
  double judged_bytes(const LabelledRows& rows, Index block) const;

  const LabelSpace& labels() const { return labels_; }

 private:
  LabelSpace labels_;
};

/// 8 n^2: one square matrix.
double square_bytes(Index n);

/// n x L indicator targets.
Matrix indicator_targets(std::span<const int> labels, Index classes);

/// The error of a system that a larger ridge would have solved.
[[noreturn]] void throw_ridge_too_small(double ridge);

}  // namespace manyone
