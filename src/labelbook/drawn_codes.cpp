// SPDX-License-Identifier: Apache-2.0
#include "labelbook/drawn_codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/worded.hpp"
#include "labelbook/codes.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Each code draws from streams of its own, one per draw, apart from those of folds and subsets (data/splits.cpp).
constexpr std::uint64_t kRandomStream = 3ULL << 32;
constexpr std::uint64_t kDenseStream = 4ULL << 32;
constexpr std::uint64_t kSparseStream = 5ULL << 32;

/// 10000 draws as in the paper while they are cheap. The time goes into L k entries and, with many columns, into
/// looking for repeated ones; 1.5e7 steps take about 0.1 s, which are 8000 dense draws for 26 classes.
Index number_of_draws(Index L, Index k) { return std::clamp<Index>(15'000'000 / (k * (L + k / 4)), 10, 10'000); }

Index default_length(std::string_view name, int classes) {
  return static_cast<Index>(std::ceil((name == "sparse" ? 15 : 10) * std::log2(classes)));
}

/// The least k with enough words of k letters: two letters for dense, three for the others, no word of zeros in sparse.
Index shortest_length(std::string_view name, Index L) {
  const Index letters = name == "dense" ? 2 : 3;
  const Index needed = name == "sparse" ? L + 1 : L;
  Index k = 0;
  for (Index words = 1; words < needed; words *= letters) ++k;
  return k;
}

/// Random bits, 64 from each number of the stream.
class Coins {
 public:
  explicit Coins(Random& random) : random_(random) {}
  bool toss() {
    if (left_ == 0) {
      word_ = random_.next();
      left_ = 64;
    }
    const bool head = (word_ & 1) != 0;
    word_ >>= 1;
    --left_;
    return head;
  }

 private:
  Random& random_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

/// Entries -1, 0, 1 with equal chance.
Matrix random_draw(Index L, Index k, Random& random) {
  Matrix M(L, k);
  for (Index i = 0; i < k;) {
    for (Index c = 0; c < L; ++c) M(c, i) = static_cast<double>(random.below(3)) - 1;
    const bool constant = (M.col(i).array() == M(0, i)).all();
    if (!constant) ++i;
  }
  return M;
}

/// Entries +1 and -1. Constant columns are drawn again, and so are equal and complementary ones as long as there are k
/// others: 2^(L-1)-1 columns differ in more than the sign.
Matrix dense_draw(Index L, Index k, Random& random) {
  Matrix M(L, k);
  Coins coins(random);
  const bool distinct = L > 62 || (Index{1} << (L - 1)) - 1 >= k;
  // The pattern of a column, the same for its complement: bit c says that classes 0 and c differ. Beyond 65 classes
  // bits fall on top of each other; two columns that clash by chance cost a draw and nothing else.
  std::vector<std::uint64_t> patterns;
  for (Index i = 0; i < k;) {
    std::uint64_t pattern = 0;
    for (Index c = 0; c < L; ++c) {
      M(c, i) = coins.toss() ? 1 : -1;
      pattern = std::rotl(pattern, 1) ^ static_cast<std::uint64_t>(M(c, i) != M(0, i));
    }
    const bool constant = pattern == 0;
    if (constant || (distinct && std::find(patterns.begin(), patterns.end(), pattern) != patterns.end())) continue;
    patterns.push_back(pattern);
    ++i;
  }
  return M;
}

/// 0 with chance 1/2, +1 and -1 with 1/4. A column without a +1 or without a -1 is drawn again.
Matrix sparse_draw(Index L, Index k, Random& random) {
  Matrix M(L, k);
  Coins coins(random);
  for (Index i = 0; i < k;) {
    bool plus = false;
    bool minus = false;
    for (Index c = 0; c < L; ++c) {
      const bool zero = coins.toss();
      const bool positive = coins.toss();
      M(c, i) = zero ? 0 : positive ? 1 : -1;
      plus = plus || (!zero && positive);
      minus = minus || (!zero && !positive);
    }
    if (plus && minus) ++i;
  }
  return M;
}

bool has_zero_row(const Matrix& M) { return (M.array() == 0).rowwise().all().any(); }

bool has_equal_rows(const Matrix& M) {
  std::vector<Index> order(static_cast<std::size_t>(M.rows()));
  for (Index r = 0; r < M.rows(); ++r) order[static_cast<std::size_t>(r)] = r;
  const auto row = [&](Index r) { return std::span(M.row(r).data(), static_cast<std::size_t>(M.cols())); };
  std::sort(order.begin(), order.end(),
            [&](Index r, Index s) { return std::ranges::lexicographical_compare(row(r), row(s)); });
  return std::adjacent_find(order.begin(), order.end(),
                            [&](Index r, Index s) { return std::ranges::equal(row(r), row(s)); }) != order.end();
}

/// The draw with the largest smallest row distance, the earliest of equals; empty when none is usable.
template <class Draw>
Matrix best_of_draws(Index L, Index k, std::uint64_t seed, std::uint64_t stream, Draw draw) {
  Matrix best;
  double distance = 0;
  for (Index t = 0; t < number_of_draws(L, k); ++t) {
    Random random(seed, stream + static_cast<std::uint64_t>(t));
    Matrix M = draw(L, k, random);
    const double found = smallest_row_distance(M, distance);
    if (found <= distance || has_zero_row(M) || has_equal_rows(M)) continue;
    distance = found;
    best = std::move(M);
  }
  return best;
}

/// The first draw without equal rows; empty when there is none.
Matrix first_of_draws(Index L, Index k, std::uint64_t seed) {
  for (Index t = 0; t < number_of_draws(L, k); ++t) {
    Random random(seed, kRandomStream + static_cast<std::uint64_t>(t));
    Matrix M = random_draw(L, k, random);
    if (!has_equal_rows(M)) return M;
  }
  return {};
}

}  // namespace

bool is_drawn(std::string_view name) { return name == "random" || name == "dense" || name == "sparse"; }

Index drawn_length(std::string_view name, const BookRequest& request) {
  const Index k = request.length.value_or(default_length(name, request.classes));
  const Index shortest = shortest_length(name, request.classes);
  if (k < shortest) {
    throw ConfigError(
        "length",
        fmt::format("code '{}' of length {} has fewer codewords than the {} classes, so two would share one", name, k,
                    request.classes),
        worded("`length` must be {} or more (default {})", shortest, default_length(name, request.classes)));
  }
  return k;
}

Matrix draw_code(std::string_view name, const BookRequest& request) {
  const Index L = request.classes;
  const Index k = drawn_length(name, request);
  Matrix M = name == "dense"    ? best_of_draws(L, k, request.seed, kDenseStream, dense_draw)
             : name == "sparse" ? best_of_draws(L, k, request.seed, kSparseStream, sparse_draw)
                                : first_of_draws(L, k, request.seed);
  if (M.size() == 0) {
    throw ConfigError("length",
                      fmt::format("code '{}' of length {}: in {} draws two of the {} classes always shared a codeword",
                                  name, k, number_of_draws(L, k), L),
                      fmt::format("ask for a longer one (default {})", default_length(name, request.classes)));
  }
  return M;
}

}  // namespace manyone
