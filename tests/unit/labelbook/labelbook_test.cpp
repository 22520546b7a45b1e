// SPDX-License-Identifier: Apache-2.0
#include "labelbook/labelbook.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(Labelbook, ThreeClassesByHand) {
  EXPECT_TRUE(make_labelbook("indicator", 3).codewords == Matrix::Identity(3, 3));
  EXPECT_TRUE(make_labelbook("pm1", 3).codewords == (Matrix{{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
  EXPECT_TRUE(make_labelbook("consistency", 3).codewords ==
              (Matrix{{1, -0.5, -0.5}, {-0.5, 1, -0.5}, {-0.5, -0.5, 1}}));
  const double s = std::sqrt(1.5);
  expect_close(make_labelbook("alignment", 3).codewords, s * make_labelbook("consistency", 3).codewords / 1.5,
               kRounding);
  expect_close(
      make_labelbook("mincorr", 3).codewords,
      s * Matrix{{1 / std::sqrt(2), 1 / std::sqrt(6)}, {-1 / std::sqrt(2), 1 / std::sqrt(6)}, {0, -2 / std::sqrt(6)}},
      kRounding);
}

/// Gamma = p I + r 11' (SPEC section 3).
struct GramOf {
  std::string book;
  double p;
  double r;
  bool centred;
};
std::vector<GramOf> gram_table(double L) {
  return {{"pm1", 4, L - 4, L == 2},
          {"indicator", 1, 0, false},
          {"alignment", L / (L - 1), -1 / (L - 1), true},
          {"consistency", L * L / ((L - 1) * (L - 1)), -L / ((L - 1) * (L - 1)), true},
          {"mincorr", L / (L - 1), -1 / (L - 1), true}};
}

RC_GTEST_PROP(Labelbook, GramMatrixIsThatOfTheTable, ()) {
  const int L = *rc::gen::inRange(2, 40);
  for (const auto& [name, p, r, centred] : gram_table(L)) {
    const Labelbook book = make_labelbook(name, L);
    const Matrix expected = p * Matrix::Identity(L, L) + r * Matrix::Ones(L, L);
    RC_ASSERT(relative_difference(book.gram(), expected) <= kProduct);
    RC_ASSERT(book.centred() == centred);
    RC_ASSERT(book.classes() == L);
    RC_ASSERT(book.length() == (name == "mincorr" ? L - 1 : L));
  }
}

RC_GTEST_PROP(Labelbook, AlignmentAndMincorrHaveTheSameGram, ()) {  // Proposition 3
  const int L = *rc::gen::inRange(2, 40);
  RC_ASSERT(relative_difference(make_labelbook("mincorr", L).gram(), make_labelbook("alignment", L).gram()) <=
            kProduct);
}

TEST(Labelbook, AlignmentRowsAreEquidistantUnitVectors) {
  const Matrix B = make_labelbook("alignment", 7).codewords;
  for (Index r = 0; r < 7; ++r) {
    EXPECT_NEAR(B.row(r).norm(), 1, kRounding);
    for (Index s = 0; s < r; ++s) EXPECT_NEAR((B.row(r) - B.row(s)).norm(), (B.row(1) - B.row(0)).norm(), kRounding);
  }
}

TEST(Labelbook, EveryListedBookExists) {
  for (const LabelbookInfo& info : labelbooks())
    EXPECT_EQ(make_labelbook(std::string(info.name), 4).classes(), 4) << info.name;
}

TEST(Labelbook, ReadsAUsersOwnBook) {
  const Labelbook book = make_labelbook(valid_file("labelbook-three-classes.csv"), 3);
  EXPECT_TRUE(book.codewords == (Matrix{{1, 1}, {-1, 1}, {0, -1}}));
  EXPECT_FALSE(book.centred());
}

std::string message_of_file(const std::string& name) {
  return message_of([&] { make_labelbook(invalid_file(name), 3); });
}

TEST(Labelbook, EqualRowsAreRefusedWithTheirLine) {
  const std::string message = message_of_file("labelbook-equal-rows.csv");
  expect_contains(message, "labelbook-equal-rows.csv:3");
  expect_contains(message, "codewords 1 and 3 are equal");
}

TEST(Labelbook, AWrongNumberOfRowsNamesBothNumbers) {
  const std::string message = message_of_file("labelbook-wrong-number-of-rows.csv");
  expect_contains(message, "labelbook-wrong-number-of-rows.csv");
  expect_contains(message, "each of the 3 classes");
  expect_contains(message, "found 2 rows");
}

TEST(Labelbook, WhatIsNotAFiniteNumberIsRefusedWithItsPlace) {
  expect_contains(message_of_file("labelbook-bad-number.csv"),
                  "labelbook-bad-number.csv:2:2: expected a finite number, found 'x'");
  expect_contains(message_of_file("labelbook-nan.csv"), "labelbook-nan.csv:2:2");
  expect_contains(message_of_file("labelbook-ragged-row.csv"), "labelbook-ragged-row.csv:2: expected 2 numbers");
  expect_contains(message_of_file("labelbook-empty.csv"), "empty");
}

TEST(Labelbook, FileProblemsAreInputErrorsAndUnknownNamesConfigErrors) {
  EXPECT_THROW(make_labelbook(invalid_file("labelbook-equal-rows.csv"), 3), InputError);
  EXPECT_THROW(make_labelbook(invalid_file("labelbook-wrong-number-of-rows.csv"), 3), InputError);
  expect_complaint([] { make_labelbook("indicater", 3); }, Fault::usage, "labelbook", "books are indicator");
  expect_contains(message_of([] { make_labelbook("indicater", 3); }), "did you mean 'indicator'");
}

TEST(Labelbook, NumbersInMemoryAreCheckedLikeAFile) {
  expect_complaint([] { make_labelbook(Matrix{{1, 0}, {1, 0}}, "mine", 2); }, Fault::input, "labelbook", "change one");
  EXPECT_THROW(make_labelbook(Matrix{{1, 0}, {NAN, 0}}, "mine", 2), InputError);
  EXPECT_THROW(make_labelbook(Matrix(2, 0), "mine", 2), InputError);
  EXPECT_EQ(make_labelbook(Matrix{{1}, {-1}}, "mine", 2).name, "mine");
}

}  // namespace
}  // namespace manyone::test
