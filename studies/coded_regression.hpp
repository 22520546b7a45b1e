// SPDX-License-Identifier: Apache-2.0
//
// The method of Chen et al. taken apart, as their experiments need it: one regression for indicators on kernel values
// at centres (machine/msvr), then any number of codes and decoders on top. fit() does the same for one code.
#pragma once

#include <string>

#include "model/reduced.hpp"
#include "studies/published.hpp"

namespace manyone {

/// Machine, decoder, scaling and parameters of a row on the data set at `set`. Without settings: cost 1 and
/// gamma 1 / features, as LIBSVM has them.
Recipe recipe_at_setting(const PublishedTable& table, const PublishedRow& row, std::size_t set);

class CodedRegression {
 public:
  /// `execution` and `data` outlive it. The recipe's sigma and ridge are set. Throws ConfigError when the ridge is too
  /// small.
  CodedRegression(const Execution& execution, const Dataset& data, const Recipe& recipe);

  /// All columns of a code for the classes of the table; optimal scores are those of the regression.
  Matrix code(const std::string& name, std::uint64_t seed = 1) const;
  /// Outputs for indicators; those of a code are these times its matrix.
  Matrix outputs(const Features& unscaled) const;
  Decoder discriminant(const Matrix& code) const;

 private:
  const Execution& execution_;
  Recipe recipe_;
  DatasetRows source_;
  PreparedTable table_;
  PassedRows passed_;
  GroupedSums seen_;
  ReducedFit fit_;
};

/// The classifier of a row on some rows: msvr by its decoder, the smooth SVMs with the cost of the regression, or
/// another machine.
Model train_at_setting(const Execution& execution, const Dataset& data, const PublishedTable& table,
                       const PublishedRow& row, std::size_t set, std::uint64_t seed);

}  // namespace manyone
