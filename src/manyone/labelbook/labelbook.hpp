// SPDX-License-Identifier: Apache-2.0
//
// Labelbooks (SPEC section 3): an L x q matrix whose row c, the codeword of class c, is the target of that class's
// rows. One-per-class books are b_c = a e_c + b 1; mincorr is their rotation into L-1 dimensions. A user's own book
// comes from a CSV file. Machines need a book only through its Gram matrix Gamma = B B'.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manyone/base/matrix.hpp"

namespace manyone {

struct Labelbook {
  std::string name;
  Matrix codewords;  ///< L x q

  Index classes() const { return codewords.rows(); }
  Index length() const { return codewords.cols(); }
  /// Gamma = B B', L x L.
  Matrix gram() const { return codewords * codewords.transpose(); }
  /// Sum of all codewords is 0 (a bias term is well posed only then for vector-output machines, SPEC 4.3).
  bool centred() const;
};

struct LabelbookInfo {
  std::string_view name;
  std::string_view definition;
};

/// The built-in books, in the order they are shown to users.
std::span<const LabelbookInfo> labelbooks();

/// A built-in book for `classes` >= 2 classes; any other name is taken as the path of a CSV file with one row per
/// class, in class order. Throws ConfigError (unknown name) or InputError (file: wrong number of rows, equal rows, bad
/// number).
Labelbook make_labelbook(const std::string& name_or_path, int classes);

/// The same from numbers in memory; `source` names them in errors.
Labelbook make_labelbook(Matrix codewords, const std::string& source, int classes);

}  // namespace manyone
