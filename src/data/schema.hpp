// SPDX-License-Identifier: Apache-2.0
//
// Schema: how the columns of a table become features. Found once from the training table, stored in the model, and
// applied unchanged to every table that is predicted, so that the same cell always becomes the same numbers.
#pragma once

#include <string>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// What to do with an empty cell, "?" or "NA".
enum class MissingPolicy {
  error,      ///< stop and name row and column
  drop,       ///< leave the row out of training; at prediction it is an error
  mean,       ///< the training mean (of each one-hot feature, for nominal columns)
  indicator,  ///< as mean for numeric columns plus a 0/1 feature "NAME missing"; its own one-hot value for nominal ones
};

/// One input column that feeds features.
struct Column {
  std::string name = {};                 ///< from the header; "" when the file has none
  bool nominal = false;                  ///< words, one feature for each value
  std::vector<std::string> values = {};  ///< nominal: the distinct values in the order of their one-hot features
  bool missing_feature = false;          ///< policy indicator and the training column had missing cells
  std::vector<double> means = {};        ///< policy mean/indicator: training mean of each of its value features

  /// Features this column becomes: 1 or values.size(), plus 1 with missing_feature.
  Index width() const { return (nominal ? static_cast<Index>(values.size()) : 1) + (missing_feature ? 1 : 0); }
};

/// A column of the training table that is neither a feature nor the target.
struct LeftOutColumn {
  std::string name;
  Index position = 0;  ///< from 0, in the training table
};

struct Schema {
  std::vector<Column> columns;          ///< the feature columns in file order
  std::vector<LeftOutColumn> left_out;  ///< in file order: the fold column, ignored columns, identifiers
  std::string target;                   ///< name of the target column, "" if the file has no header
  Index target_position = -1;           ///< from 0, in the training table; -1: labels were kept apart (LIBSVM, IDX)
  std::string fold;                     ///< name of the fold column, if there was one
  bool named = false;                   ///< the training file had names (header or ARFF)
  bool plain = false;                   ///< LIBSVM/IDX or all numeric without names: features are just numbered
  MissingPolicy missing = MissingPolicy::error;
  Index plain_features = 0;  ///< number of features when `columns` is empty (LIBSVM, IDX)

  /// Numbers without names, as LIBSVM and IDX files have them.
  static Schema numbered(Index features, MissingPolicy missing = MissingPolicy::error);

  Index features() const;
  /// "petal-width", "safety=high", "age missing", or "f7" where there are no names.
  std::vector<std::string> feature_names() const;
};

}  // namespace manyone
