// SPDX-License-Identifier: Apache-2.0
#include "decoder/decoder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(Argmax, TiesGoToTheSmallestIndex) {
  EXPECT_EQ(argmax_classes(Matrix{{1, 3, 3}, {2, 2, 2}, {0, 0, 1}, {-1, -2, -1}}), (std::vector<int>{1, 0, 2, 0}));
}

TEST(Softmax, ByHand) {
  const Matrix p = softmax(Matrix{{std::log(1), std::log(2), std::log(5)}}, 1);
  expect_close(p, Matrix{{0.125, 0.25, 0.625}}, kRounding);
  expect_close(softmax(Matrix{{0, 2 * std::log(3)}}, 2), Matrix{{0.25, 0.75}}, kRounding);
}

TEST(Softmax, LargeAndTinyScoresStayFinite) {
  const Matrix p = softmax(Matrix{{1e300, -1e300}, {1e-300, 0}, {-1e300, -1e300}}, 1e-3);
  EXPECT_TRUE(p.allFinite());
  expect_close(p, Matrix{{1, 0}, {0.5, 0.5}, {0.5, 0.5}}, kRounding);
}

/// Scores over many orders of magnitude, also such that exp() cannot tell apart.
Matrix wild_scores(std::uint64_t seed, Index rows, Index classes) {
  Matrix scores = random_matrix(rows, classes, seed);
  Random random(seed, 7);
  for (Index i = 0; i < rows; ++i) scores.row(i) *= std::exp2(static_cast<double>(random.below(200)) - 180);
  return scores;
}

RC_GTEST_PROP(Softmax, MostProbableClassIsThePredictedOne, (std::uint64_t seed)) {
  const Matrix scores = wild_scores(seed, 50, *rc::gen::inRange(2, 8));
  const double temperature = std::exp2(*rc::gen::inRange(-10, 11));
  RC_ASSERT(argmax_classes(softmax(scores, temperature)) == argmax_classes(scores));
}

RC_GTEST_PROP(Softmax, IsMonotoneAndSumsToOne, (std::uint64_t seed)) {
  const Matrix scores = wild_scores(seed, 20, 5);
  const Matrix p = softmax(scores, std::exp2(*rc::gen::inRange(-10, 11)));
  RC_ASSERT((p.rowwise().sum().array() - 1).abs().maxCoeff() <= kRounding);
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index a = 0; a < 5; ++a) {
      for (Index b = 0; b < 5; ++b) RC_ASSERT(!(scores(i, a) < scores(i, b)) || p(i, a) <= p(i, b));
    }
  }
}

TEST(LogLoss, ByHand) {
  const std::vector<int> labels = {0, 1};
  // Probabilities 1/4 and 3/4: the first row's true class has 1/4, the second's 3/4.
  EXPECT_NEAR(log_loss(Matrix{{0, std::log(3)}, {0, std::log(3)}}, labels, 1), -0.5 * std::log(0.25 * 0.75), kRounding);
}

TEST(Calibration, TemperatureIsAStationaryPointOfTheLogLoss) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Matrix noise = random_matrix(200, 4, seed);
    const auto labels = random_labels(200, 4, seed);
    Matrix scores = 0.7 * noise;
    for (Index i = 0; i < 200; ++i) scores(i, labels[static_cast<std::size_t>(i)]) += 0.5;
    const double T = calibrate_temperature(scores, labels);
    const double here = log_loss(scores, labels, T);
    const double h = 1e-4;
    const double slope = (log_loss(scores, labels, T * (1 + h)) - log_loss(scores, labels, T * (1 - h))) / (2 * h);
    EXPECT_NEAR(slope, 0, 1e-7);  // a central difference is good to h^2
    EXPECT_LT(here, log_loss(scores, labels, 1.1 * T));
    EXPECT_LT(here, log_loss(scores, labels, 0.9 * T));
  }
}

TEST(Calibration, ScalesWithTheScores) {
  const auto labels = random_labels(100, 3, 6);
  Matrix scores = random_matrix(100, 3, 6);
  for (Index i = 0; i < 100; ++i) scores(i, labels[static_cast<std::size_t>(i)]) += 0.3;
  const double T = calibrate_temperature(scores, labels);
  EXPECT_NEAR(calibrate_temperature(1000 * scores, labels) / (1000 * T), 1, 1e-8);
  EXPECT_NEAR(calibrate_temperature(1e-30 * scores, labels) / (1e-30 * T), 1, 1e-8);
}

TEST(Calibration, ScoresWithoutErrorsOrWithoutUseGiveAFiniteTemperature) {
  const std::vector<int> labels = {0, 1};
  const Matrix perfect{{1, 0}, {0, 1}};
  const Matrix wrong{{0, 1}, {1, 0}};
  for (const Matrix& scores : {perfect, wrong, Matrix(Matrix::Zero(2, 2))}) {
    const double T = calibrate_temperature(scores, labels);
    EXPECT_TRUE(T > 0 && std::isfinite(T));
  }
  EXPECT_GT(calibrate_temperature(wrong, labels), 100);
}

TEST(Calibration, OfScoresWithoutErrorsOneRowInTwoMoreIsExpectedToBeWrong) {
  std::vector<int> labels;
  Matrix scores = Matrix::Zero(98, 2);
  for (Index i = 0; i < 98; ++i) {
    labels.push_back(static_cast<int>(i % 2));
    scores(i, i % 2) = 3;
  }
  EXPECT_NEAR(softmax(scores, calibrate_temperature(scores, labels))(0, 0), 0.99, 1e-9);
}

TEST(Calibration, RowsOfClassesThatWereNeverSeenSayNothing) {
  const auto labels = random_labels(100, 3, 6);
  Matrix scores = random_matrix(100, 3, 6);
  for (Index i = 0; i < 100; ++i) scores(i, labels[static_cast<std::size_t>(i)]) += 0.3;
  const double T = calibrate_temperature(scores, labels);
  Matrix more(102, 3);
  more << scores, 1, 2, kNeverPredicted, 2, 1, kNeverPredicted - 3;
  std::vector<int> with_unseen = labels;
  with_unseen.insert(with_unseen.end(), {2, 2});
  EXPECT_NEAR(calibrate_temperature(more, with_unseen) / T, 1, 1e-8);
}

Decoder code_decoder(const DecoderEntry* entry, Matrix code) {
  return {entry, OutputMeaning::columns, std::move(code)};
}

TEST(Decoder, ArgmaxScoresAreOutputsTimesTheCode) {
  const Decoder decoder{&kArgmax, OutputMeaning::scores, Matrix{{1, 0}, {0, 1}, {-1, -1}}};
  expect_close(decoder.scores(Matrix{{2, 3}}), Matrix{{2, 3, -5}}, kRounding);
}

TEST(Decoder, HammingCountsSignsAndHalvesZeros) {
  const Matrix code{{1, 1, 1}, {-1, 1, 0}, {-1, -1, -1}};
  expect_close(code_decoder(&decoder_from_name("hamming"), code).scores(Matrix{{0.2, -3, 0}}),
               Matrix{{-1.5, -2.5, -1.5}}, kRounding);
}

TEST(Decoder, LossesAreTheFormulas) {
  const Matrix code{{1, -1}, {-1, 0}};
  const Matrix f{{0.5, 2}};
  const auto scores = [&](const DecoderEntry* entry) { return code_decoder(entry, code).scores(f); };
  expect_close(scores(&decoder_from_name("loss:square")), Matrix{{-(0.25 + 9), -(2.25 + 1)}}, kRounding);
  expect_close(scores(&decoder_from_name("loss:hinge")), Matrix{{-(0.5 + 3), -(1.5 + 1)}}, kRounding);
  expect_close(scores(&decoder_from_name("loss:linear")), Matrix{{0.5 - 2, -0.5}}, kRounding);
  expect_close(scores(&decoder_from_name("loss:exponential")),
               Matrix{{-(std::exp(-0.5) + std::exp(2)), -(std::exp(0.5) + 1)}}, kRounding);
}

TEST(Decoder, OneVsAllOutputsStandForTheColumnsOfACode) {
  const Matrix code{{1, -1, 1}, {-1, 1, 1}};
  const Decoder mixed{&decoder_from_name("loss:square"), OutputMeaning::classes, code};
  const Matrix f{{0.3, 0.9}};
  expect_close(mixed.scores(f), code_decoder(&decoder_from_name("loss:square"), code).scores(f * code), kRounding);
}

const Matrix kPairs{{1, 1, 0}, {-1, 0, 1}, {0, -1, -1}};

TEST(Decoder, VotesDecideAndSumsBreakTies) {
  const Decoder votes = code_decoder(&kVotes, kPairs);
  EXPECT_EQ(argmax_classes(votes.scores(Matrix{{1, 1, 5}, {-1, 1, 1}, {-1, -1, -1}})), (std::vector<int>{0, 1, 2}));
  // Each class wins once; the sums are 1 - 5, -1 + 3, 5 - 3.
  EXPECT_EQ(argmax_classes(votes.scores(Matrix{{1, -5, 3}})), (std::vector<int>{1}));
  // However large, a sum never overturns a vote.
  EXPECT_EQ(argmax_classes(votes.scores(Matrix{{1e-9, 1e-9, 1e9}})), (std::vector<int>{0}));
}

TEST(Decoder, VotesFirstGivesTiesToTheFirstClassWhateverTheSums) {
  const Decoder votes = code_decoder(&kVotesFirst, kPairs);
  expect_close(votes.scores(Matrix{{1, -5, 3}, {1, 1, 5}}), Matrix{{1, 1, 1}, {2, 1, 0}}, kRounding);
  EXPECT_EQ(argmax_classes(votes.scores(Matrix{{1, -5, 3}})), (std::vector<int>{0}));
}

TEST(Decoder, DagDropsOneClassAfterTheOther) {
  const Decoder dag = code_decoder(&decoder_from_name("dag"), kPairs);
  // 0 against 2: 2 is dropped; 0 against 1: 0 is dropped.
  expect_close(dag.scores(Matrix{{-1, 1, -9}}), Matrix{{1, 2, 0}}, kRounding);
  expect_close(dag.scores(Matrix{{1, -1, -1}}), Matrix{{0, 1, 2}}, kRounding);
}

TEST(Decoder, WhatDoesNotGoTogetherIsRefusedWithAdvice) {
  const auto refusal = [](const OutputCode& outputs, const DecoderEntry* entry) {
    return message_of([&] { make_decoder(machine_from_name("ls-ova"), outputs, entry); });
  };
  const OutputCode scores{OutputMeaning::scores, Matrix::Identity(3, 3)};
  expect_contains(refusal(scores, &decoder_from_name("hamming")), "use decode=argmax");
  expect_contains(refusal(scores, &kVotes), "each pair of classes");
  expect_contains(refusal({OutputMeaning::columns, kPairs}, &kArgmax), "votes, dag, hamming or loss");
  const OutputCode dense{OutputMeaning::classes, Matrix{{1, -1}, {-1, 1}}};
  expect_contains(refusal(dense, &kArgmax), "hamming or loss");
  expect_contains(refusal(dense, &decoder_from_name("dag")), "ls-ovo");
}

TEST(Decoder, EveryEntryIsWhole) {
  for (const DecoderEntry* entry : decoders()) {
    EXPECT_FALSE(entry->rule.empty()) << entry->name;
    EXPECT_TRUE(entry->scores != nullptr && entry->onnx != nullptr && entry->cpp != nullptr) << entry->name;
    EXPECT_FALSE(entry->fit_to_spread != nullptr && entry->fit_to_rows != nullptr) << entry->name;
    EXPECT_FALSE(entry->of_scores && entry->of_pairs) << entry->name;
    EXPECT_TRUE(entry->fitted() || (!entry->cost && !entry->priors)) << entry->name;
  }
}

TEST(Decoder, ACostStandsBehindTheNameOfOneThatTakesIt) {
  EXPECT_EQ(decoder_choice("ssvm:2.5").entry, &decoder_from_name("ssvm"));
  EXPECT_EQ(decoder_choice("ssvm:2.5").cost, 2.5);
  EXPECT_EQ(decoder_choice("loss:hinge").entry, &decoder_from_name("loss:hinge"));
  EXPECT_FALSE(decoder_choice("ssvm").cost);
  expect_contains(message_of([] { decoder_choice("ssvm:much"); }), "number above 0");
  expect_contains(message_of([] { decoder_choice("flda:2"); }), "'flda:2' is not known");
}

TEST(Decoder, NamesAreReadBackAndUnknownOnesSuggestTheNearest) {
  for (const DecoderEntry* entry : decoders()) EXPECT_EQ(&decoder_from_name(entry->name), entry);
  EXPECT_EQ(&decoder_from_name("loss"), &decoder_from_name("loss:square"));
  expect_contains(message_of([] { decoder_from_name("haming"); }), "did you mean 'hamming'");
}

}  // namespace
}  // namespace manyone::test
