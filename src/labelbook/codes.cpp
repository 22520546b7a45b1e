// SPDX-License-Identifier: Apache-2.0
#include "labelbook/codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/small_algebra.hpp"
#include "base/worded.hpp"
#include "labelbook/drawn_codes.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::array kCodes = {
    LabelbookInfo{"one-vs-baseline", "e_c for every class but the last, whose entries are all -1"},
    LabelbookInfo{"three-way", "+1 and -1 for each pair of classes, 0 elsewhere"},
    LabelbookInfo{"exhaustive", "every way to split the classes in two, as 1 and 0; at most 15 classes"},
    LabelbookInfo{"random", "-1, 0 and 1 drawn with equal chance, 10 log2 L columns"},
    LabelbookInfo{"balanced", "n/n_c e_c for every class but the last, whose entries are all -n/n_L"},
    LabelbookInfo{"optimal", "the class scores that a linear function of the features predicts best, L-1 columns"},
    LabelbookInfo{"ova", "one against all: +1 for the own class, -1 elsewhere"},
    LabelbookInfo{"ava", "all against all: +1 and -1 for each pair of classes, 0 elsewhere"},
    LabelbookInfo{"complete", "every way to split the classes in two, as +1 and -1; at most 15 classes"},
    LabelbookInfo{"dense", "+1 and -1, the best of many random draws, 10 log2 L columns"},
    LabelbookInfo{"sparse", "+1, -1 and half of all entries 0, the best of many random draws, 15 log2 L columns"},
    LabelbookInfo{"bch", "codewords of a BCH code, repeated columns left out; at most 64 classes"}};

constexpr Index kMostExhaustive = 15;        // classes, that is 16383 columns
constexpr double kMostEntries = 1ULL << 24;  // of a matrix: 128 MB, all pairs of 322 classes
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The classes but the last have rows a_c e_c, the last has a_L times -1 everywhere.
Matrix against_last(const Vector& a) {
  const Index k = a.size() - 1;
  Matrix M = Matrix::Zero(k + 1, k);
  M.diagonal() = a.head(k);
  M.row(k).setConstant(-a(k));
  return M;
}

Matrix balanced(const BookRequest& request) {
  if (request.counts.empty())
    throw ConfigError("labelbook", "code 'balanced' needs the class counts", "give the number of rows per class");
  Vector a(request.classes);
  double n = 0;
  for (const Index count : request.counts) n += static_cast<double>(count);
  for (Index c = 0; c < a.size(); ++c) {
    const Index count = request.counts[static_cast<std::size_t>(c)];
    if (count < 1)
      throw ConfigError("labelbook", worded("code 'balanced' needs rows in every class, `class#{}` has none", c + 1),
                        "use another labelbook, or leave the class out");
    a(c) = n / static_cast<double>(count);
  }
  return against_last(a);
}

/// +1 for r, -1 for s, for all pairs r < s in lexicographic order.
Matrix all_pairs(Index L) {
  Matrix M = Matrix::Zero(L, L * (L - 1) / 2);
  Index i = 0;
  for (Index r = 0; r < L; ++r) {
    for (Index s = r + 1; s < L; ++s, ++i) {
      M(r, i) = 1;
      M(s, i) = -1;
    }
  }
  return M;
}

/// Class 0 is always 1; the others are the bits of the column number, class 1 the highest. The number with all bits
/// set would be a constant column.
Matrix exhaustive(Index L) {
  Matrix M(L, (Index{1} << (L - 1)) - 1);
  M.row(0).setOnes();
  for (Index c = 1; c < L; ++c) {
    for (Index i = 0; i < M.cols(); ++i) M(c, i) = static_cast<double>((i >> (L - 1 - c)) & 1);
  }
  return M;
}

struct Bch {
  int length;
  int parity;               // degree of the generator
  std::uint64_t generator;  // coefficients as bits
};
constexpr Bch kBch15{15, 10, 0b10100110111};                 // 5 bits of message, distance 7
constexpr Bch kBch31{31, 25, 0b11001011011110101000100111};  // 6 bits of message, distance 15

/// The message, then the remainder of message x^parity divided by the generator.
std::uint64_t systematic_word(const Bch& code, std::uint64_t message) {
  const std::uint64_t shifted = message << code.parity;
  std::uint64_t remainder = shifted;
  for (int bit = code.length - 1; bit >= code.parity; --bit) {
    if ((remainder >> bit) & 1) remainder ^= code.generator << (bit - code.parity);
  }
  return shifted | remainder;
}

/// Without constant columns and without those equal or complementary to one before.
Matrix without_repeated_columns(const Matrix& M) {
  std::vector<Index> kept;
  for (Index i = 0; i < M.cols(); ++i) {
    const auto column = M.col(i);
    const bool constant = (column.array() == column(0)).all();
    const bool repeated =
        std::any_of(kept.begin(), kept.end(), [&](Index j) { return column == M.col(j) || column == -M.col(j); });
    if (!constant && !repeated) kept.push_back(i);
  }
  return M(Eigen::all, kept);
}

/// Row c is the codeword of message c, highest bit first, 0 written as -1.
Matrix bch(Index L) {
  if (L > 64) {
    throw ConfigError("labelbook", fmt::format("code 'bch' has codewords for at most 64 classes, found {}", L),
                      "use dense or sparse");
  }
  const Bch& code = L <= 32 ? kBch15 : kBch31;
  Matrix M(L, code.length);
  for (Index c = 0; c < L; ++c) {
    const std::uint64_t word = systematic_word(code, static_cast<std::uint64_t>(c));
    for (int i = 0; i < code.length; ++i) M(c, i) = ((word >> (code.length - 1 - i)) & 1) != 0 ? 1 : -1;
  }
  return without_repeated_columns(M);
}

void check_request(std::string_view name, const BookRequest& request) {
  const int L = request.classes;
  if (L < 2)
    throw ConfigError("labelbook", fmt::format("code '{}' needs at least 2 classes, found {}", name, L),
                      "give more classes");
  if (!request.counts.empty() && request.counts.size() != static_cast<std::size_t>(L)) {
    throw ConfigError("labelbook",
                      fmt::format("expected a count for each of the {} classes, found {}", L, request.counts.size()),
                      "give the number of rows per class");
  }
  if ((name == "exhaustive" || name == "complete") && L > kMostExhaustive) {
    const std::string columns = L <= 53 ? fmt::format(" = {:.0f}", std::ldexp(1, L - 1) - 1) : "";
    throw ConfigError(
        "labelbook",
        fmt::format("code '{}' of {} classes would have 2^{}-1{} columns; it is made for at most {} classes", name, L,
                    L - 1, columns, kMostExhaustive),
        "use dense instead");
  }
}

/// Before anything is allocated.
void check_size(std::string_view name, double L, double length) {
  if (L * length <= kMostEntries) return;
  throw MemoryError(fmt::format("code '{}' of {:.0f} classes and {:.0f} columns would take {}", name, L, length,
                                format_bytes(static_cast<std::uint64_t>(8 * L * length))),
                    "use dense, or a smaller `length`");
}

Index length_of(std::string_view name, const BookRequest& request) {
  if (is_drawn(name)) return drawn_length(name, request);
  const Index L = request.classes;
  if (name == "optimal") return request.length.value_or(L - 1);
  if (request.length) {
    throw ConfigError(
        "length",
        fmt::format("the length of '{}' is fixed; only optimal, random, dense and sparse codes take one", name),
        "leave `length` out");
  }
  if (name == "exhaustive" || name == "complete") return (Index{1} << (L - 1)) - 1;
  return name == "ava" || name == "three-way" ? L * (L - 1) / 2 : L;
}

Matrix optimal(const BookRequest& request) {
  if (request.explained.size() == 0) {
    throw ConfigError("labelbook",
                      "optimal scores are found from the rows of a training table (manyone labelbooks prints them)",
                      "to train, use a book such as indicator");
  }
  Matrix theta = optimal_scores(request.explained, request.counts, length_of("optimal", request)).theta;
  for (Index r = 1; r < theta.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if ((theta.row(r) - theta.row(s)).norm() <= 1e-9 * theta.norm()) {
        throw ConfigError("length", worded("the optimal scores of classes `#{}` and `#{}` are equal", s + 1, r + 1),
                          "ask for more columns with `length`");
      }
    }
  }
  return theta;
}

}  // namespace

std::span<const LabelbookInfo> codes() { return kCodes; }

bool is_code(std::string_view name) {
  return std::any_of(kCodes.begin(), kCodes.end(), [&](const LabelbookInfo& info) { return info.name == name; });
}

Matrix make_code(std::string_view name, const BookRequest& request) {
  check_request(name, request);
  const Index L = request.classes;
  check_size(name, static_cast<double>(L), static_cast<double>(length_of(name, request)));
  if (is_drawn(name)) return draw_code(name, request);
  if (name == "one-vs-baseline") return against_last(Vector::Ones(L));
  if (name == "balanced") return balanced(request);
  if (name == "optimal") return optimal(request);
  if (name == "three-way" || name == "ava") return all_pairs(L);
  if (name == "exhaustive") return exhaustive(L);
  if (name == "complete") return 2 * exhaustive(L).array() - 1;
  if (name == "ova") return 2 * Matrix::Identity(L, L).array() - 1;
  if (name == "bch") return bch(L);
  throw ConfigError("labelbook", fmt::format("code '{}' is not known", name), "use another labelbook");
}

double row_distance(ConstView M, Index r, Index s) {
  return (static_cast<double>(M.cols()) - M.row(r).dot(M.row(s))) / 2;
}

double smallest_row_distance(ConstView M, double floor) {
  const auto k = static_cast<double>(M.cols());
  double smallest = kInfinity;
  for (Index r = 1; r < M.rows() && smallest > floor; ++r) {
    smallest = std::min(smallest, (k - (M.topRows(r) * M.row(r).transpose()).maxCoeff()) / 2);
  }
  return smallest;
}

double smallest_column_distance(ConstView M) {
  const auto L = static_cast<double>(M.rows());
  double smallest = kInfinity;
  for (Index i = 1; i < M.cols(); ++i) {
    smallest = std::min(smallest, (L - (M.leftCols(i).transpose() * M.col(i)).cwiseAbs().maxCoeff()) / 2);
  }
  return smallest;
}

Matrix explained_classes(ConstView x, std::span<const int> labels, Index classes) {
  const Index n = x.rows();
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(n, classes);
  for (Index i = 0; i < n; ++i) Y(i, labels[static_cast<std::size_t>(i)]) = 1;
  Y.rowwise() -= Y.colwise().mean();
  const Eigen::MatrixXd centred = x.rowwise() - x.colwise().mean();
  constexpr double kDependent = 1e-10;  // of columns that depend on others, as one-hot ones do, rounding may leave more
                                        // than usual
  // P = Q Q' with an orthonormal basis Q of the columns of x, whatever their rank.
  const Eigen::MatrixXd projected = column_basis(centred, kDependent).transpose() * Y;
  return projected.transpose() * projected;
}

OptimalScores optimal_scores(ConstView S, std::span<const Index> counts, Index length) {
  const Index L = S.rows();
  if (S.cols() != L || counts.size() != static_cast<std::size_t>(L)) {
    throw ConfigError(
        "labelbook",
        fmt::format("optimal scores: expected a square matrix and a count per class, found {} x {} and {}", L, S.cols(),
                    counts.size()),
        "give L x L numbers and L counts");
  }
  if (length < 1 || length > L - 1) {
    throw ConfigError(
        "length",
        fmt::format("optimal scores of {} classes have 1 to {} columns, asked for {}: the last direction is constant",
                    L, L - 1, length),
        fmt::format("choose 1 to {}", L - 1));
  }
  Vector root(L);  // D^{1/2} 1
  for (Index c = 0; c < L; ++c) {
    const Index count = counts[static_cast<std::size_t>(c)];
    if (count < 1)
      throw ConfigError("labelbook", worded("optimal scores need rows in every class, `class#{}` has none", c + 1),
                        "use another labelbook, or leave the class out");
    root(c) = std::sqrt(static_cast<double>(count));
  }
  // D^{-1/2} S D^{-1/2} has the eigenvector D^{1/2} 1 with eigenvalue 0. Moved to -1 it is the last one, even where S
  // has a lower rank and other zeros would mix with it.
  const Eigen::MatrixXd A =
      (S.array() / (root * root.transpose()).array()).matrix() - root * root.transpose() / root.squaredNorm();
  const SymmetricEigen eigen = symmetric_eigen(A);
  OptimalScores scores{Matrix(L, length), Vector(length)};
  for (Index j = 0; j < length; ++j) {
    scores.eigenvalues(j) = eigen.values(L - 1 - j);
    Vector theta = root.norm() * eigen.vectors.col(L - 1 - j).cwiseQuotient(root);  // sqrt(n) D^{-1/2} v
    // Of entries that are equal but for rounding the first decides.
    const double largest = (1 - 1e-9) * theta.cwiseAbs().maxCoeff();
    const auto first = std::find_if(theta.begin(), theta.end(), [&](double t) { return std::abs(t) >= largest; });
    scores.theta.col(j) = *first < 0 ? Vector(-theta) : theta;
  }
  return scores;
}

}  // namespace manyone
