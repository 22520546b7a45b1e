// SPDX-License-Identifier: Apache-2.0
//
// Labelbooks (SPEC section 3): an L x q matrix whose row c, the codeword of class c, is the target of that class's
// rows. One-per-class books are b_c = a e_c + b 1; mincorr is their rotation into L-1 dimensions. A user's own book
// comes from a CSV file. Machines need a book only through its Gram matrix Gamma = B B'. Code matrices (SPEC section 5)
// are made in codes.hpp and come through the same door.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.hpp"

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

/// What a book or a code is made for.
struct BookRequest {
  int classes = 0;              ///< L >= 2
  std::vector<Index> counts;    ///< rows of each class; empty: not known, and `balanced` cannot be made
  std::uint64_t seed = 1;       ///< of the codes that are drawn
  std::optional<Index> length;  ///< columns of `optimal` and of the codes that are drawn; none: as SPEC section 5
  Matrix explained = {};        ///< of explained_classes(); empty: not known, and `optimal` cannot be made
  Matrix given = {};            ///< a program's own codewords, a row each; the name then only names them
};

/// The built-in books, in the order they are shown to users. Codes have a list of their own, codes().
std::span<const LabelbookInfo> labelbooks();

/// A built-in book for `classes` >= 2 classes; any other name is taken as the path of a CSV file with one row per
/// class, in class order. Codes are refused: a machine that decodes by <b_c, f> would read most of them wrongly. Throws
/// ConfigError (unknown name, a code) or InputError (file: wrong number of rows, equal rows, bad number).
Labelbook make_labelbook(const std::string& name_or_path, int classes);

/// A built-in book, a code, or a CSV file. Throws as above and as make_code(); a length is refused where it is fixed.
Labelbook make_labelbook(const std::string& name_or_path, const BookRequest& request);

/// A book from numbers in memory; `source` names them in errors.
Labelbook make_labelbook(Matrix codewords, const std::string& source, int classes);

}  // namespace manyone
