// SPDX-License-Identifier: Apache-2.0
//
// Code matrices against numbers of an independent implementation (tests/golden/data), closed forms and brute force.
#include "labelbook/codes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/golden_files.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

Matrix code(const std::string& name, int classes, std::uint64_t seed = 1, std::optional<Index> length = {}) {
  return make_code(name, BookRequest{classes, {}, seed, length});
}

std::string refusal(const std::string& name, const BookRequest& request) {
  return message_of([&] { make_code(name, request); });
}

/// low, ..., high - 1 with equal chance: a plain inRange() grows with the number of the case and favours low values.
template <class T>
rc::Gen<T> evenly(T low, T high) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(low, high));
}

bool rows_differ(const Matrix& M) {
  for (Index r = 0; r < M.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if (M.row(r) == M.row(s)) return false;
    }
  }
  return true;
}

bool has_constant_column(const Matrix& M) {
  for (Index i = 0; i < M.cols(); ++i) {
    if ((M.col(i).array() == M(0, i)).all()) return true;
  }
  return false;
}

bool has_repeated_column(const Matrix& M) {
  for (Index i = 0; i < M.cols(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (M.col(i) == M.col(j) || M.col(i) == -M.col(j)) return true;
    }
  }
  return false;
}

TEST(Codes, AreTheGoldenOnes) {
  const Json json = golden("labelbooks");
  const std::map<std::string, std::string> names = {{"one-vs-baseline", "one_vs_baseline"},
                                                    {"three-way", "three_way"},
                                                    {"ava", "three_way"},
                                                    {"exhaustive", "exhaustive01"},
                                                    {"complete", "complete"},
                                                    {"ova", "pm1"},
                                                    {"bch", "bch"}};
  for (const auto& [name, key] : names) {
    for (const int L : {3, 4, 6}) {
      const Matrix expected = matrix(json.at(key + "_L" + std::to_string(L)));
      EXPECT_EQ(relative_difference(code(name, L), expected), 0) << name << " " << L;
    }
  }
  EXPECT_EQ(relative_difference(make_code("balanced", {3, {10, 20, 30}, 1, {}}), matrix(json.at("balanced_10_20_30"))),
            0);
}

TEST(Codes, TwoClassesByHand) {
  for (const std::string name : {"one-vs-baseline", "three-way", "ava", "complete"})
    EXPECT_TRUE(code(name, 2) == (Matrix{{1}, {-1}})) << name;
  EXPECT_TRUE(code("exhaustive", 2) == (Matrix{{1}, {0}}));
  EXPECT_TRUE(code("ova", 2) == (Matrix{{1, -1}, {-1, 1}}));
  EXPECT_TRUE(code("bch", 2) == (Matrix{{-1}, {1}}));
}

TEST(Codes, EveryListedCodeGivesEachClassItsOwnCodeword) {
  std::set<std::string> names;
  for (const LabelbookInfo& info : codes()) {
    const std::string name(info.name);
    names.insert(name);
    for (const int L : {2, 3, 5, 12}) {
      const std::vector<Index> counts(static_cast<std::size_t>(L), 7);
      const Matrix S = explained_classes(random_matrix(7 * L, L + 2, 3), random_labels(7 * L, L, 4), L);
      const Labelbook book = make_labelbook(name, BookRequest{L, counts, 1, {}, S});
      EXPECT_EQ(book.name, name);
      EXPECT_EQ(book.classes(), L) << name;
      EXPECT_TRUE(rows_differ(book.codewords)) << name << " " << L;
      EXPECT_FALSE(has_constant_column(book.codewords)) << name << " " << L;
    }
  }
  EXPECT_EQ(names.size(), 12u);
  for (const LabelbookInfo& info : labelbooks()) EXPECT_FALSE(is_code(info.name)) << info.name;
}

TEST(Codes, LengthsAreThoseOfTheSpecification) {
  EXPECT_EQ(code("exhaustive", 9).cols(), 255);
  EXPECT_EQ(code("complete", 15).cols(), 16383);
  EXPECT_EQ(code("ava", 26).cols(), 325);
  EXPECT_EQ(code("random", 26).cols(), 48);
  EXPECT_EQ(code("dense", 26).cols(), 48);
  EXPECT_EQ(code("sparse", 26).cols(), 71);
  EXPECT_EQ(code("dense", 8).cols(), 30);  // log2 is exact
  EXPECT_EQ(code("dense", 8, 1, 12).cols(), 12);
}

RC_GTEST_PROP(Codes, BalancedColumnsSumToZeroOverTheRowsOfTheTable, ()) {  // e' Theta = 0
  const int L = *evenly(2, 12);
  const auto counts = *rc::gen::container<std::vector<Index>>(static_cast<std::size_t>(L), evenly<Index>(1, 500));
  const Matrix M = make_code("balanced", BookRequest{L, counts, 1, {}});
  const double n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
  Vector e(L);
  for (Index c = 0; c < L; ++c) e(c) = static_cast<double>(counts[static_cast<std::size_t>(c)]);
  RC_ASSERT((M.transpose() * e).cwiseAbs().maxCoeff() <= kRounding * n);
  RC_ASSERT(M.cols() == L - 1);
}

RC_GTEST_PROP(Codes, CompleteIsTwiceExhaustiveMinusOne, ()) {
  const int L = *evenly(2, 11);
  const Matrix M = code("complete", L);
  RC_ASSERT(relative_difference(M, 2 * code("exhaustive", L).array() - 1) == 0);
  RC_ASSERT(!has_repeated_column(M));
  // Class-symmetric: two classes differ in half of all 2^(L-1) splits.
  for (Index r = 1; r < L; ++r) RC_ASSERT(row_distance(M, 0, r) == std::ldexp(1, L - 2));
}

/// Rank of (I - 1 e'/n) Theta, the space of the targets of a table with these class counts.
Index rank_of_centred(const Matrix& theta, const Vector& e) {
  const Matrix centred = theta.rowwise() - (e.transpose() * theta) / e.sum();
  Eigen::ColPivHouseholderQR<Matrix> qr(centred);
  qr.setThreshold(1e-10);  // eigenvectors are exact to rounding only
  return qr.rank();
}

RC_GTEST_PROP(Codes, FullCodesSpanTheSameTargets, ()) {  // Definition 1: IS = 1B = 3W = EX = BS = OS
  const int L = *evenly(2, 9);
  const auto counts = *rc::gen::container<std::vector<Index>>(static_cast<std::size_t>(L), evenly<Index>(1, 50));
  Vector e(L);
  for (Index c = 0; c < L; ++c) e(c) = static_cast<double>(counts[static_cast<std::size_t>(c)]);
  std::vector<int> labels;
  for (int c = 0; c < L; ++c)
    labels.insert(labels.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(c)]), c);
  const Matrix S = explained_classes(random_matrix(static_cast<Index>(labels.size()), 4, 5), labels, L);
  for (const std::string name : {"one-vs-baseline", "three-way", "exhaustive", "balanced", "optimal", "ova"}) {
    const Matrix M = make_code(name, BookRequest{L, counts, 1, {}, S});
    Matrix both(L, M.cols() + L);
    both << M, Matrix::Identity(L, L);
    RC_ASSERT(rank_of_centred(M, e) == L - 1);
    RC_ASSERT(rank_of_centred(both, e) == L - 1);
  }
}

TEST(Codes, BchHasTheDistanceOfItsCode) {  // with all messages no column is dropped
  EXPECT_EQ(code("bch", 32).cols(), 15);
  EXPECT_EQ(smallest_row_distance(code("bch", 32)), 7);
  EXPECT_EQ(code("bch", 64).cols(), 31);
  EXPECT_EQ(smallest_row_distance(code("bch", 64)), 15);
}

TEST(Codes, BchHasNoConstantAndNoRepeatedColumn) {
  for (int L = 2; L <= 64; ++L) {
    const Matrix M = code("bch", L);
    EXPECT_FALSE(has_constant_column(M)) << L;
    EXPECT_FALSE(has_repeated_column(M)) << L;
    EXPECT_TRUE(rows_differ(M)) << L;
  }
}

RC_GTEST_PROP(Codes, DenseIsOfSignsWithDifferentRowsAndColumns, ()) {
  const int L = *evenly(2, 17);
  const Matrix M = code("dense", L, *evenly<std::uint64_t>(0, 1000), *evenly<Index>(L, 2 * L + 1));
  RC_ASSERT((M.cwiseAbs().array() == 1).all());
  RC_ASSERT(rows_differ(M));
  RC_ASSERT(!has_constant_column(M));
  RC_ASSERT(std::ldexp(1, L - 1) - 1 < static_cast<double>(M.cols()) || !has_repeated_column(M));
}

RC_GTEST_PROP(Codes, SparseColumnsHaveBothSignsAndRowsAreNotZero, ()) {
  const int L = *evenly(2, 17);
  const Matrix M = code("sparse", L, *evenly<std::uint64_t>(0, 1000), *evenly<Index>(L, 2 * L + 1));
  RC_ASSERT((M.array() == 0 || M.cwiseAbs().array() == 1).all());
  RC_ASSERT((M.colwise().maxCoeff().array() == 1).all());
  RC_ASSERT((M.colwise().minCoeff().array() == -1).all());
  RC_ASSERT((M.cwiseAbs().rowwise().sum().array() > 0).all());
  RC_ASSERT(rows_differ(M));
}

RC_GTEST_PROP(Codes, RandomHasDifferentRowsAndNoConstantColumn, ()) {
  const int L = *evenly(2, 40);
  const Index length = *evenly<Index>(8, 60);
  const Matrix M = code("random", L, *evenly<std::uint64_t>(0, 1000), length);
  RC_ASSERT(M.cols() == length);
  RC_ASSERT((M.array() == 0 || M.cwiseAbs().array() == 1).all());
  RC_ASSERT(rows_differ(M));
  RC_ASSERT(!has_constant_column(M));
}

TEST(Codes, DrawnCodesDependOnTheSeedAlone) {
  for (const std::string name : {"random", "dense", "sparse"}) {
    EXPECT_TRUE(code(name, 10, 5) == code(name, 10, 5)) << name;
    EXPECT_FALSE(code(name, 10, 5) == code(name, 10, 6)) << name;
  }
}

TEST(Codes, SparseHasAboutHalfZerosAndAsManyOfEitherSign) {
  const Matrix M = code("sparse", 40, 1, 500);  // 20000 entries: a standard deviation is 0.0035
  EXPECT_NEAR((M.array() == 0).cast<double>().mean(), 0.5, 0.02);
  EXPECT_NEAR(M.mean(), 0, 0.02);
  const Matrix random = code("random", 40, 1, 500);
  EXPECT_NEAR((random.array() == 0).cast<double>().mean(), 1.0 / 3, 0.02);
}

TEST(Codes, TheBestOfManyDrawsIsFarFromASingleOne) {
  // Two random rows of 48 signs differ in 24 places on average, the closest of 325 pairs in about 14.
  const Matrix dense = code("dense", 26);
  EXPECT_GE(smallest_row_distance(dense), 16);
  EXPECT_FALSE(has_repeated_column(dense));
  EXPECT_GE(smallest_row_distance(code("sparse", 26)), 26);
}

TEST(Codes, AsManyColumnsAsThereAreGiveTheCompleteCode) {
  const Matrix M = code("dense", 5, 3, 15);
  EXPECT_FALSE(has_repeated_column(M));
  EXPECT_EQ(smallest_row_distance(M), smallest_row_distance(code("complete", 5)));
}

TEST(Codes, ManyClassesAreStillDrawn) {
  EXPECT_TRUE(rows_differ(code("dense", 300)));
  EXPECT_TRUE(rows_differ(code("sparse", 300)));
}

TEST(Codes, DistancesByHand) {
  const Matrix M{{1, 1, 0}, {-1, 0, 1}, {-1, 1, 0}};
  EXPECT_EQ(row_distance(M, 0, 1), 2);    // 1 + 1/2 + 1/2
  EXPECT_EQ(row_distance(M, 0, 2), 1.5);  // 1 + 0 + 1/2
  EXPECT_EQ(row_distance(M, 0, 0), 0.5);
  EXPECT_EQ(smallest_row_distance(M), 1);
  EXPECT_EQ(smallest_column_distance(M), 1);
  EXPECT_EQ(smallest_column_distance(Matrix{{1, -1}, {-1, 1}}), 0);  // a column and its complement
  EXPECT_TRUE(std::isinf(smallest_column_distance(Matrix{{1}, {-1}})));
}

RC_GTEST_PROP(Codes, SmallestDistancesAreThoseOfBruteForce, ()) {
  const Index L = *evenly<Index>(2, 9);
  const Index k = *evenly<Index>(2, 9);
  Matrix M(L, k);
  for (Index r = 0; r < L; ++r) {
    for (Index i = 0; i < k; ++i) M(r, i) = *evenly(-1, 2);
  }
  double rows = std::numeric_limits<double>::infinity();
  double columns = rows;
  for (Index r = 0; r < L; ++r) {
    for (Index s = 0; s < r; ++s) rows = std::min(rows, row_distance(M, r, s));
  }
  const Matrix T = M.transpose();
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < i; ++j) {
      Matrix complement = T;
      complement.row(j) *= -1;
      columns = std::min({columns, row_distance(T, i, j), row_distance(complement, i, j)});
    }
  }
  RC_ASSERT(smallest_row_distance(M) == rows);
  RC_ASSERT(smallest_column_distance(M) == columns);
}

TEST(Codes, TooManyClassesAreRefusedWithALengthAndAWayOut) {
  for (const std::string name : {"exhaustive", "complete"}) {
    expect_complaint([&] { code(name, 16); }, Fault::usage, "labelbook", "use dense");
    const std::string message = refusal(name, {26, {}, 1, {}});
    expect_contains(message, "2^25-1 = 33554431 columns");
    expect_contains(message, "use dense");
    expect_contains(refusal(name, {5000, {}, 1, {}}), "2^4999-1 columns");
  }
  expect_contains(refusal("bch", {65, {}, 1, {}}), "at most 64 classes, found 65; use dense or sparse");
  expect_complaint([] { code("ava", 5000); }, Fault::memory, "memory", "length");
  expect_complaint([] { code("dense", 1); }, Fault::usage, "labelbook", "more classes");
}

TEST(Codes, CountsMustBeThereForEveryClass) {
  expect_contains(refusal("balanced", {3, {}, 1, {}}), "needs the class counts");
  expect_contains(refusal("balanced", {3, {1, 2}, 1, {}}), "each of the 3 classes, found 2");
  expect_contains(refusal("balanced", {3, {1, 0, 2}, 1, {}}), "class 2 has none");
}

TEST(Codes, LengthsWithTooFewCodewordsAreRefused) {
  expect_contains(refusal("dense", {26, {}, 1, 4}), "must be 5 or more (default 48)");
  expect_contains(refusal("random", {28, {}, 1, 3}), "must be 4 or more");
  expect_contains(refusal("sparse", {3, {}, 1, 1}), "must be 2 or more");  // a word of zeros is none
  expect_contains(refusal("dense", {3, {}, 1, -5}), "must be 2 or more");
  expect_contains(refusal("dense", {64, {}, 1, 6}), "always shared a codeword; ask for a longer one (default 60)");
  expect_contains(refusal("ava", {3, {}, 1, 3}), "the length of 'ava' is fixed");
}

TEST(Codes, ComeThroughTheSameDoorAsBooks) {
  EXPECT_TRUE(make_labelbook("dense", BookRequest{5, {}, 7, {}}).codewords == code("dense", 5, 7));
  EXPECT_TRUE(make_labelbook("indicator", BookRequest{3, {}, 1, {}}).codewords == Matrix::Identity(3, 3));
  EXPECT_EQ(make_labelbook(valid_file("labelbook-three-classes.csv"), BookRequest{3, {}, 1, {}}).length(), 2);
  expect_complaint(
      [] {
        make_labelbook("indicator", BookRequest{3, {}, 1, 3});
      },
      Fault::usage, "length", "leave length out");
  expect_contains(message_of([] { make_labelbook("dense", 3); }), "'dense' is a code");
  const std::string message = message_of([] { make_labelbook("sparce", BookRequest{3, {}, 1, {}}); });
  for (const char* part : {"did you mean 'sparse'", "books are indicator, pm1", "codes are one-vs-baseline, three-way"})
    expect_contains(message, part);
  expect_contains(message_of([] { make_labelbook("optimal", BookRequest{3, {}, 1, {}}); }), "training table");
}

TEST(OptimalScores, TwoClassesByHand) {
  // Y_c' Y_c = n1 n2 / n [1 -1; -1 1]; with P = I / 2 the eigenvalue is 1/2 and theta = (sqrt(n2/n1), -sqrt(n1/n2)).
  const Matrix S = 0.5 * 10 * 40 / 50.0 * Matrix{{1, -1}, {-1, 1}};
  const std::vector<Index> counts = {10, 40};
  const OptimalScores scores = optimal_scores(S, counts, 1);
  expect_close(scores.theta, Matrix{{2}, {-0.5}}, kRounding);
  EXPECT_NEAR(scores.eigenvalues(0), 0.5, kRounding);
}

TEST(OptimalScores, OfEqualEntriesTheFirstIsPositive) {
  const std::vector<Index> counts = {5, 5};
  expect_close(optimal_scores(Matrix{{1, -1}, {-1, 1}}, counts, 1).theta, Matrix{{1}, {-1}}, kRounding);
}

TEST(OptimalScores, OfATableAreWhatItsFeaturesExplain) {
  // Two features, of which the first alone tells the classes apart, perfectly.
  Matrix x(8, 2);
  std::vector<int> labels;
  for (Index i = 0; i < 8; ++i) {
    labels.push_back(static_cast<int>(i % 2));
    x.row(i) << static_cast<double>(i % 2), static_cast<double>(i / 2);
  }
  const Matrix S = explained_classes(x, labels, 2);
  expect_close(S, Matrix{{2, -2}, {-2, 2}}, kRounding);
  const Labelbook book = make_labelbook("optimal", BookRequest{2, {4, 4}, 1, {}, S});
  expect_close(book.codewords, Matrix{{1}, {-1}}, kRounding);
  Matrix twice(8, 4);
  twice << x, x;  // whatever the rank
  expect_close(explained_classes(twice, labels, 2), S, kRounding);
}

TEST(OptimalScores, ThatAreEqualForTwoClassesAreRefused) {
  const std::vector<int> labels = {0, 0, 1, 1, 2, 2};
  const Matrix x{{0}, {0}, {1}, {1}, {1}, {1}};  // cannot tell 1 from 2
  const BookRequest request{3, {2, 2, 2}, 1, 1, explained_classes(x, labels, 3)};
  expect_contains(message_of([&] { make_labelbook("optimal", request); }), "classes 2 and 3 are equal");
}

TEST(OptimalScores, AreTheGoldenOnesOfIris) {  // full gaussian kernel, P = K_c (K_c' K_c + 0.01 I)^{-1} K_c'
  const Json json = golden("iris_data");
  const Matrix x = matrix(json["X"]);
  const Index n = x.rows();
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-2 * (x.row(i) - x.row(j)).squaredNorm());  // sigma = 1/2
  }
  const Matrix K_c = K.rowwise() - K.colwise().mean();
  Matrix Y_c = Matrix::Constant(n, 3, -1.0 / 3);
  for (Index i = 0; i < n; ++i) Y_c(i, json["y"][static_cast<std::size_t>(i)].get<Index>()) += 1;
  const Eigen::LLT<Eigen::MatrixXd> factor(K_c.transpose() * K_c + 0.01 * Matrix::Identity(n, n));
  const Matrix S = Y_c.transpose() * K_c * factor.solve(Eigen::MatrixXd(K_c.transpose() * Y_c));
  const std::vector<Index> counts = {50, 50, 50};
  const Matrix expected{{1.4141216291442074, -0.01612507322565196},
                        {-0.7210255376234028, -1.2166027182670942},
                        {-0.6930960915208043, 1.232727791492747}};
  expect_close(optimal_scores(S, counts, 2).theta, expected, kGoldenCoefficient);
}

RC_GTEST_PROP(OptimalScores, AreFeasibleCentredAndDescending, ()) {
  const int L = *evenly(2, 8);
  const auto counts = *rc::gen::container<std::vector<Index>>(static_cast<std::size_t>(L), evenly<Index>(1, 9));
  const Index n = std::accumulate(counts.begin(), counts.end(), Index{0});
  const Index rank = *evenly<Index>(0, std::min<Index>(n, 8));  // below L-1, further eigenvalues are 0
  Vector e(L);
  Matrix Y_c = Matrix::Zero(n, L);
  Index row = 0;
  for (Index c = 0; c < L; ++c) {
    e(c) = static_cast<double>(counts[static_cast<std::size_t>(c)]);
    for (Index i = 0; i < counts[static_cast<std::size_t>(c)]; ++i) Y_c(row++, c) = 1;
  }
  Y_c.rowwise() -= (e / static_cast<double>(n)).transpose().eval();
  Matrix Z(n, rank);
  for (Index i = 0; i < Z.size(); ++i) Z.data()[i] = *evenly(-9, 10);
  const Matrix half = Z.transpose() * Y_c;
  const Matrix S = half.transpose() * half / std::max(1.0, Z.squaredNorm());
  const auto scores = optimal_scores(S, counts, L - 1);

  const Matrix gram = scores.theta.transpose() * e.asDiagonal() * scores.theta / static_cast<double>(n);
  RC_ASSERT(relative_difference(gram, Matrix::Identity(L - 1, L - 1)) <= kProduct);
  RC_ASSERT((scores.theta.transpose() * e).cwiseAbs().maxCoeff() <= kProduct * static_cast<double>(n));
  const Matrix value = scores.theta.transpose() * S * scores.theta / static_cast<double>(n);
  RC_ASSERT((value - Matrix(scores.eigenvalues.asDiagonal())).cwiseAbs().maxCoeff() <= kProduct);
  for (Index j = 1; j < L - 1; ++j) RC_ASSERT(scores.eigenvalues(j - 1) >= scores.eigenvalues(j));
  for (Index j = 0; j < L - 1; ++j) {
    RC_ASSERT(scores.theta.col(j).maxCoeff() >= -(1 - 2 * kSolution) * scores.theta.col(j).minCoeff());
  }
}

TEST(OptimalScores, MoreThanLMinusOneColumnsAreRefused) {
  const std::vector<Index> counts = {1, 1, 1};
  expect_contains(message_of([&] { optimal_scores(Matrix::Zero(3, 3), counts, 3); }), "1 to 2 columns, asked for 3");
  expect_complaint([&] { optimal_scores(Matrix::Zero(3, 3), counts, 0); }, Fault::usage, "length", "choose 1 to 2");
  EXPECT_THROW(optimal_scores(Matrix::Zero(3, 2), counts, 1), ConfigError);
  EXPECT_THROW(optimal_scores(Matrix::Zero(3, 3), std::vector<Index>{1, 0, 1}, 1), ConfigError);
}

}  // namespace
}  // namespace manyone::test
