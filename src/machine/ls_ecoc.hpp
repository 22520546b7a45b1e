// SPDX-License-Identifier: Apache-2.0
//
// Error-correcting codes with least squares (Rifkin's lecture; SPEC sections 5-6, 13.11). Column i of a code M splits
// the classes into +1, -1 and those that take no part. For codes without zeros nothing is trained beyond one-vs-all:
// the outputs of column i are sum_j M_ji f^j, so the expansion is that of oneLSM and the code enters in the decoder.
// Columns with zeros are trained on their own rows, columns of the same rows from one factor. ls-ovo is the code of all
// pairs, whose factors share those of the classes (SPEC 13.8).
#pragma once

#include "machine/machine.hpp"

namespace manyone {

class LsEcoc : public Machine {
 public:
  /// The book of `labels` is the code: entries -1, 0 and 1.
  explicit LsEcoc(LabelSpace labels) : LsEcoc(std::move(labels), false) {}

  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  HeldOut judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                 std::span<const std::vector<Index>> blocks, double ridge, Workspace& workspace) const override;
  std::size_t judged_blocks(Index rows) const override;
  OutputCode output_code() const override;
  bool screens() const override { return from_one_vs_all_; }
  double fit_bytes(const LabelledRows& rows) const override;
  double heldout_bytes(const LabelledRows& rows) const override { return square_bytes(rows.rows()); }

 protected:
  /// `train_all`: also columns that one-vs-all would give.
  LsEcoc(LabelSpace labels, bool train_all);

  const Matrix& code() const { return labels().book.codewords; }

 private:
  std::vector<HeldOut> problems_heldout(const Execution& execution, ConstView K, const LabelledRows& rows,
                                        std::span<const Folds> partitions, std::span<const double> ridges,
                                        Workspace& workspace) const;

  bool from_one_vs_all_;
};

class LsOvo final : public LsEcoc {
 public:
  explicit LsOvo(LabelSpace labels) : LsEcoc(std::move(labels), true) {}
  /// 7/3 m^3 flops for a pair of classes of m rows each; no n x n matrix is made.
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  double fit_bytes(const LabelledRows& rows) const override;
};

extern const MachineEntry kLsOvo;
extern const MachineEntry kLsEcoc;

}  // namespace manyone
