// SPDX-License-Identifier: Apache-2.0
//
// The least-squares family: every machine against its own equation written out in full, the equivalences and scaling
// laws of SPEC section 3, Rifkin's identity, and closed forms against refits in values and in labels.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "selection/kernel_rows.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

struct Problem {
  int L = 3;
  Matrix x;
  LabelledRows rows;
  Kernel kernel{&kGaussian, 0.8, 3, 1};
  double ridge = 0.5;

  Index n() const { return x.rows(); }
  Matrix K() const { return plain_gram(kernel, x, x); }
  int label(Index i) const { return rows.labels[static_cast<std::size_t>(i)]; }

  Coefficients fit(const std::string& machine, const LabelSpace& space, bool bias = false) const {
    const Features features(x);
    return make_machine(machine, space, bias)
        ->fit(runtime().execution(), FeatureGram(runtime().execution(), kernel, features), rows, ridge);
  }
  Coefficients fit(const std::string& machine, const std::string& book, bool bias = false) const {
    return fit(machine, plain_labels(book, L), bias);
  }
  /// Class scores of some queries.
  Matrix scores(const std::string& machine, const LabelSpace& space, bool bias = false) const {
    const Coefficients solution = fit(machine, space, bias);
    const Matrix f =
        (plain_gram(kernel, random_matrix(20, x.cols(), 99), x) * solution.A).rowwise() + solution.b.transpose();
    return make_decoder(machine_from_name(machine), make_machine(machine, space, bias)->output_code(), {}).scores(f);
  }
  Matrix scores(const std::string& machine, const std::string& book, bool bias = false) const {
    return scores(machine, plain_labels(book, L), bias);
  }
};

rc::Gen<Problem> random_problem(bool weighted = true, int fewest_classes = 2) {
  return rc::gen::exec([=] {
    Problem p;
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    p.L = *rc::gen::inRange(fewest_classes, 6);
    const Index n = *rc::gen::inRange(4 * p.L, 40);
    p.x = random_matrix(n, 3, seed);
    p.rows = {random_labels(n, p.L, seed), p.L, {}};
    if (weighted && *rc::gen::arbitrary<bool>()) p.rows.weights = random_matrix(n, 1, seed + 1ULL).col(0).array() + 1.5;
    p.kernel.sigma = std::exp2(*rc::gen::inRange(-2, 2));
    p.ridge = std::exp2(*rc::gen::inRange(-3, 4));
    return p;
  });
}

const std::vector<std::string> kBooks = {"indicator", "pm1", "alignment", "consistency", "mincorr"};
const std::vector<std::string> kVectorOutput = {"vo-lssvm", "vo-rls-beta", "vo-rls-f"};

/// Gamma(y_i, y_j)
Matrix label_part(const Problem& p, const Matrix& gamma) {
  Matrix out(p.n(), p.n());
  for (Index i = 0; i < p.n(); ++i) {
    for (Index j = 0; j < p.n(); ++j) out(i, j) = gamma(p.label(i), p.label(j));
  }
  return out;
}

Vector weights(const Problem& p) { return p.rows.weights.size() > 0 ? p.rows.weights : Vector(Vector::Ones(p.n())); }

RC_GTEST_PROP(VoLssvm, SolvesItsSystemForEveryBook, ()) {
  const auto p = *random_problem();
  const auto space = plain_labels(*rc::gen::elementOf(kBooks), p.L);
  const Matrix H = label_part(p, space.gamma).cwiseProduct(p.K());
  const Vector beta = p.fit("vo-lssvm", space).A.rowwise().sum();
  const Vector left = H * beta + p.ridge * beta.cwiseQuotient(weights(p));
  RC_ASSERT(relative_difference(left, Vector::Ones(p.n())) <= kSolution);
}

/// How far a fit with bias is from the bordered system: its equations, and sums of beta that are the same in each
/// class.
double bordered_residual(const Problem& p, const LabelSpace& space) {
  const Coefficients solution = p.fit("vo-lssvm", space, true);
  const Vector beta = solution.A.rowwise().sum();
  const Matrix H = label_part(p, space.gamma).cwiseProduct(p.K());
  const Vector bias = space.gamma * solution.b;  // b_c' b for every class
  Vector left = H * beta + p.ridge * beta.cwiseQuotient(weights(p));
  Vector sums = Vector::Zero(p.L);
  for (Index i = 0; i < p.n(); ++i) {
    left[i] += bias[p.label(i)];
    sums[p.label(i)] += beta[i];
  }
  return std::max(relative_difference(left, Vector::Ones(p.n())),
                  (sums.array() - sums.mean()).abs().maxCoeff() / (1 + beta.cwiseAbs().maxCoeff()));
}

const std::vector<std::string> kCentredBooks = {"alignment", "consistency", "mincorr"};

RC_GTEST_PROP(VoLssvm, WithBiasSolvesTheBorderedSystem, ()) {
  const auto p = *random_problem();
  RC_ASSERT(bordered_residual(p, plain_labels(*rc::gen::elementOf(kCentredBooks), p.L)) <= kSolution);
}

TEST(VoLssvm, WithBiasIsNotMisledByTheRoundingOfManyRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::string& book : kCentredBooks) {
      Problem p;
      p.x = random_matrix(150, 4, seed);
      p.rows = {random_labels(150, 3, seed), 3, {}};
      p.kernel.sigma = std::exp2(static_cast<double>(seed % 5) - 2);
      p.ridge = std::exp2(-static_cast<double>(seed % 7));
      EXPECT_LE(bordered_residual(p, plain_labels(book, 3)), 1e-8) << book << " " << seed;
    }
  }
}

RC_GTEST_PROP(VoRls, CoefficientPenaltySolvesItsSystem, ()) {
  const auto p = *random_problem();
  const auto space = plain_labels(*rc::gen::elementOf(kBooks), p.L);
  const Matrix K = p.K();
  const Matrix gamma = label_part(p, space.gamma);
  const Matrix G = gamma.cwiseProduct(Matrix(K * weights(p).asDiagonal() * K));
  const Vector d = gamma.cwiseProduct(K).transpose() * weights(p);
  const Vector beta = p.fit("vo-rls-beta", space).A.rowwise().sum();
  RC_ASSERT(relative_difference(G * beta + p.ridge * beta, d) <= kSolution);
}

RC_GTEST_PROP(VoRls, FunctionPenaltyHasNoSlope, ()) {
  const auto p = *random_problem();
  const auto space = plain_labels(*rc::gen::elementOf(kBooks), p.L);
  const Matrix K = p.K();
  const Matrix gamma = label_part(p, space.gamma);
  const Matrix G = gamma.cwiseProduct(Matrix(K * weights(p).asDiagonal() * K));
  const Matrix H = gamma.cwiseProduct(K);
  const Vector d = H.transpose() * weights(p);
  const Vector beta = p.fit("vo-rls-f", space).A.rowwise().sum();
  RC_ASSERT(relative_difference(G * beta + p.ridge * H * beta, d) <= 1e-7);  // beta is as large as H is singular
}

TEST(VoRls, FunctionPenaltyWithEqualRowsGivesTheShortestCoefficients) {
  Problem p;
  p.x = random_matrix(12, 2, 5);
  p.x.row(7) = p.x.row(3);
  p.rows = {random_labels(12, 3, 5), 3, {}};
  p.rows.labels[7] = p.rows.labels[3];
  const Vector beta = p.fit("vo-rls-f", "indicator").A.rowwise().sum();
  EXPECT_NEAR(beta[3], beta[7], 1e-6 * beta.cwiseAbs().maxCoeff());
}

RC_GTEST_PROP(VectorOutput, AlignmentEqualsMincorr, ()) {  // Proposition 3
  const auto p = *random_problem();
  for (const auto& machine : kVectorOutput)
    RC_ASSERT(relative_difference(p.scores(machine, "mincorr"), p.scores(machine, "alignment")) <= 1e-7);
}

RC_GTEST_PROP(VectorOutput, ScalingLawsHold, (bool large)) {
  auto p = *random_problem();
  const double s = large ? 3 : 0.5;
  LabelSpace plain = plain_labels("alignment", p.L);
  LabelSpace scaled = plain;
  scaled.book.codewords *= s;
  scaled.gamma *= s * s;
  Problem other = p;
  other.ridge = p.ridge / (s * s);  // cost s^2
  RC_ASSERT(relative_difference(s * s * p.fit("vo-lssvm", scaled).A, other.fit("vo-lssvm", plain).A) <= kSolution);
  other.ridge = p.ridge * s * s;
  RC_ASSERT(relative_difference(other.fit("vo-rls-beta", scaled).A, p.fit("vo-rls-beta", plain).A) <= kSolution);
  RC_ASSERT(relative_difference(p.scores("vo-rls-f", scaled) / (s * s), p.scores("vo-rls-f", plain)) <= 1e-7);
}

RC_GTEST_PROP(VectorOutput, ConsistencyIsAlignmentAtAnotherCost, ()) {
  auto p = *random_problem();
  const Matrix consistency = p.scores("vo-lssvm", "consistency");
  p.ridge *= (p.L - 1.0) / p.L;
  RC_ASSERT(relative_difference(consistency, p.scores("vo-lssvm", "alignment")) <= kSolution);
}

TEST(VectorOutput, TwoClassesWithAlignmentAreTheBinaryMachine) {
  Problem p;
  p.L = 2;
  p.x = random_matrix(20, 3, 8);
  p.rows = {random_labels(20, 2, 8), 2, {}};
  Vector t(20);
  for (Index i = 0; i < 20; ++i) t[i] = p.label(i) == 0 ? 1 : -1;
  const Matrix system = p.K() + p.ridge * Matrix::Identity(20, 20);
  const Vector alpha = Eigen::MatrixXd(system).ldlt().solve(t);
  const Vector beta = p.fit("vo-lssvm", "alignment").A.rowwise().sum();
  expect_close(Matrix(beta.cwiseProduct(t)), Matrix(alpha), kSolution);
}

RC_GTEST_PROP(LsOva, IsOneLsmForEachClass, ()) {
  const auto p = *random_problem();
  RC_ASSERT(relative_difference(p.fit("ls-ova", "pm1").A, p.fit("onelsm", "pm1").A) <= kSolution);
}

RC_GTEST_PROP(LsOvo, SharedFactorsGiveWhatEveryPairAloneGives, ()) {
  const auto p = *random_problem(true, 3);
  RC_ASSERT(relative_difference(p.fit("ls-ovo", "ava").A, p.fit("ls-ecoc", "ava").A) <= kSolution);
}

TEST(LsOvo, TwoClassesAreOnePair) {
  Problem p;
  p.L = 2;
  p.x = random_matrix(20, 3, 9);
  p.rows = {random_labels(20, 2, 9), 2, {}};
  expect_close(p.fit("ls-ovo", "ava").A, Matrix(p.fit("onelsm", "pm1").A.col(0)), kSolution);
  EXPECT_EQ(argmax_classes(p.scores("ls-ovo", "ava")), argmax_classes(p.scores("onelsm", "pm1")));
}

RC_GTEST_PROP(LsEcoc, ColumnsWithZerosAreTrainedOnTheirOwnRows, ()) {
  const auto p = *random_problem(true, 3);
  const auto space = plain_labels("ava", p.L);
  const Matrix A = p.fit("ls-ecoc", space).A;
  const Matrix K = p.K();
  for (Index k = 0; k < A.cols(); ++k) {
    std::vector<Index> part;
    for (Index i = 0; i < p.n(); ++i) {
      if (space.book.codewords(p.label(i), k) != 0) part.push_back(i);
    }
    for (const Index i : part) {
      double left = p.ridge * A(i, k) / weights(p)[i];
      for (const Index j : part) left += K(i, j) * A(j, k);
      RC_ASSERT(std::abs(left - space.book.codewords(p.label(i), k)) <= kSolution);
    }
  }
}

/// Rifkin: for codes without zeros the square loss picks argmin_r sum_{j != r} D_rj f^j, D_rj = F - sum_i M_ri M_ji.
RC_GTEST_PROP(LsEcoc, SquareLossIsRifkinsCombinationOfOneVsAll, (std::uint32_t seed)) {
  const Index L = *rc::gen::inRange(2, 7);
  Matrix M = random_matrix(L, *rc::gen::inRange(3, 12), seed).array().sign();
  const Matrix f = random_matrix(5, L, seed + 1ULL);
  const Decoder decoder{&decoder_from_name("loss:square"), OutputMeaning::classes, M};
  const Matrix scores = decoder.scores(f);
  const auto F = static_cast<double>(M.cols());
  const Matrix D = F - (M * M.transpose()).array();
  for (Index i = 0; i < f.rows(); ++i) {
    const Eigen::RowVectorXd codes = f.row(i) * M;
    const double constant = F + codes.squaredNorm() - 2 * F * f.row(i).sum();
    for (Index r = 0; r < L; ++r) {
      double sum = 0;
      for (Index j = 0; j < L; ++j) sum += j == r ? 0 : D(r, j) * f(i, j);
      RC_ASSERT(std::abs(-scores(i, r) - (constant + 2 * sum)) <= kProduct * F * F);
    }
  }
}

RC_GTEST_PROP(LsEcoc, TheCompleteCodeIsOneVsAll, ()) {
  const auto p = *random_problem();
  const auto complete = argmax_classes(p.scores("ls-ecoc", "complete"));
  RC_ASSERT(complete == argmax_classes(p.scores("onelsm", "indicator")));
}

RC_GTEST_PROP(SbcLs, SolvesTheSystemOfAllCopies, ()) {
  const auto p = *random_problem(false);
  RC_PRE(p.n() * p.L <= 120);
  auto space = plain_labels("indicator", p.L);
  const bool own = *rc::gen::arbitrary<bool>();
  Matrix K_M(p.L, p.L);
  for (Index r = 0; r < p.L; ++r) {
    for (Index s = 0; s < p.L; ++s) K_M(r, s) = std::exp(-(r == s ? 0.0 : 2.0) / (2 * p.kernel.sigma * p.kernel.sigma));
  }
  if (own) {
    const Matrix factor = random_matrix(p.L, p.L, 3);
    K_M = factor * factor.transpose();
    space.gamma = K_M;
    space.own_kernel = true;
  }
  const Matrix K = p.K();
  const Index N = p.n() * p.L;
  Eigen::MatrixXd big(N, N);
  Eigen::VectorXd t(N);
  for (Index i = 0; i < p.n(); ++i) {
    for (Index r = 0; r < p.L; ++r) {
      t[i * p.L + r] = p.label(i) == r ? 1 : -1;
      for (Index j = 0; j < p.n(); ++j) {
        for (Index s = 0; s < p.L; ++s) big(i * p.L + r, j * p.L + s) = K(i, j) * K_M(r, s);
      }
    }
  }
  big.diagonal().array() += p.ridge;
  const Eigen::VectorXd w = big.ldlt().solve(t);
  const Matrix W = Eigen::Map<const Matrix>(w.data(), p.n(), p.L);
  RC_ASSERT(relative_difference(p.fit("sbc-ls", space).A, W * K_M) <= kSolution);
}

RC_GTEST_PROP(Family, IntegerWeightsEqualRepeatedRows, ()) {
  auto p = *random_problem(false);
  Problem longer = p;
  longer.rows.labels.clear();
  p.rows.weights.resize(p.n());
  std::vector<Index> repeated;
  for (Index i = 0; i < p.n(); ++i) {
    const int times = *rc::gen::inRange(1, 4);
    p.rows.weights[i] = times;
    repeated.insert(repeated.end(), static_cast<std::size_t>(times), i);
    longer.rows.labels.insert(longer.rows.labels.end(), static_cast<std::size_t>(times), p.label(i));
  }
  longer.x = p.x(repeated, Eigen::all);
  RC_ASSERT(relative_difference(p.scores("vo-lssvm", "indicator"), longer.scores("vo-lssvm", "indicator")) <=
            kSolution);
  RC_ASSERT(relative_difference(p.scores("vo-lssvm", "mincorr", true), longer.scores("vo-lssvm", "mincorr", true)) <=
            1e-7);
  RC_ASSERT(relative_difference(p.scores("ls-ovo", "ava"), longer.scores("ls-ovo", "ava")) <= kSolution);
  RC_ASSERT(relative_difference(p.scores("sbc-ls", "indicator"), longer.scores("sbc-ls", "indicator")) <= kSolution);
  RC_ASSERT(relative_difference(p.scores("vo-rls-f", "indicator"), longer.scores("vo-rls-f", "indicator")) <= 1e-6);
}

TEST(Family, ATooSmallRidgeIsAConfigErrorOfEveryMachine) {
  const Matrix indefinite{{0, 1, 0, 2}, {1, 0, 1, 0}, {0, 1, 0, 3}, {2, 0, 3, 0}};
  const LabelledRows rows{{0, 1, 0, 1}, 2, {}};
  for (const std::string name : {"onelsm", "ls-ova", "vo-lssvm", "ls-ovo", "sbc-ls"}) {
    const auto machine = make_machine(name, plain_labels(name == "ls-ovo" ? "ava" : "pm1", 2), false);
    EXPECT_THROW(machine->fit(runtime().execution(), MatrixGram({&kPrecomputed, 1, 3, 1}, indefinite), rows, 0.1),
                 ConfigError)
        << name;
  }
}

// ---- held-out outputs --------------------------------------------------------------------------------------------

struct HeldOutCase {
  std::string machine;
  std::string book;
  bool bias = false;
};

void PrintTo(const HeldOutCase& c, std::ostream* out) { *out << c.machine << " " << c.book << (c.bias ? " bias" : ""); }

class FamilyHeldOut : public testing::TestWithParam<HeldOutCase> {};
INSTANTIATE_TEST_SUITE_P(
    All, FamilyHeldOut,
    testing::Values(HeldOutCase{"onelsm", "indicator"}, HeldOutCase{"onelsm", "mincorr", true},
                    HeldOutCase{"ls-ova", ""}, HeldOutCase{"vo-lssvm", "indicator"}, HeldOutCase{"vo-lssvm", "pm1"},
                    HeldOutCase{"vo-lssvm", "alignment", true}, HeldOutCase{"vo-lssvm", "mincorr", true},
                    HeldOutCase{"vo-rls-beta", "indicator"}, HeldOutCase{"vo-rls-beta", "consistency"},
                    HeldOutCase{"vo-rls-f", "indicator"}, HeldOutCase{"vo-rls-f", "pm1"}, HeldOutCase{"ls-ovo", ""},
                    HeldOutCase{"ls-ecoc", "dense"}, HeldOutCase{"ls-ecoc", "sparse"}, HeldOutCase{"sbc-ls", ""},
                    HeldOutCase{"vo-svm", "indicator"}, HeldOutCase{"vo-svm", "alignment"},
                    HeldOutCase{"vo-svm", "mincorr", true}, HeldOutCase{"svm-ova", ""}, HeldOutCase{"svm-ovo", ""},
                    HeldOutCase{"svm-dag", ""}, HeldOutCase{"svm-ecoc", "sparse"}, HeldOutCase{"sbc-single", ""},
                    HeldOutCase{"sbc-identity", ""}, HeldOutCase{"sbc-kernel", ""}, HeldOutCase{"ww", ""},
                    HeldOutCase{"ww", "", true}, HeldOutCase{"cs", ""}, HeldOutCase{"llw", ""},
                    HeldOutCase{"sbc-ecoc", "complete"}));

TEST_P(FamilyHeldOut, AreRefitsInValuesAndLabelsFromNarrowToWide) {
  const Dataset data = bundled("wine");
  Features scaled = data.features;
  Scaling::fit(ScalingKind::range, scaled).apply(scaled);
  CellData cells;
  cells.labels = data.labels;
  cells.classes = 3;
  cells.weights = random_matrix(data.rows(), 1, 4).col(0).array() + 1.5;
  cells.statistics.resize(data.rows(), data.rows());
  runtime().backend().pair_statistics(PairStatistic::squared_distance, scaled, cells.statistics, Interrupt());
  Recipe recipe;
  recipe.machine = GetParam().machine;
  recipe.labelbook = GetParam().book;
  recipe.bias = GetParam().bias;
  if (machine_from_name(recipe.machine).program) recipe.solver.accuracy = 1e-9;
  FoldPlan plan;
  plan.count = 5;
  const Folds folds = make_folds(plan, cells.labels, 1, 0);
  const Execution execution = runtime().execution();
  MachineScorer scorer(execution, cells, recipe, {folds});
  for (const CellParameters at : {CellParameters{1.0 / 16, 1}, {0.5, 0.25}, {4, 2}}) {
    const Matrix closed = scorer->heldout_at(at).first();
    const Matrix refit = scorer.refits(folds, at);
    expect_close(closed, refit, 1e-6);
    EXPECT_EQ(argmax_classes(closed), argmax_classes(refit)) << "sigma " << at.sigma;
  }
}

TEST_P(FamilyHeldOut, SurviveAFoldThatHoldsAWholeClass) {
  Problem p;
  p.x = random_matrix(12, 2, 6);
  p.rows = {{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, 3, {}};
  CellData cells;
  cells.labels = p.rows.labels;
  cells.classes = 3;
  cells.statistics.resize(12, 12);
  runtime().backend().pair_statistics(PairStatistic::squared_distance, p.x, cells.statistics, Interrupt());
  Recipe recipe;
  recipe.machine = GetParam().machine;
  recipe.labelbook = GetParam().book;
  recipe.bias = GetParam().bias;
  const Execution execution = runtime().execution();
  MachineScorer scorer(execution, cells, recipe, {Folds{3, cells.labels}});
  EXPECT_TRUE(scorer->heldout_at({0.7, 0.5}).first().allFinite());
}

}  // namespace
}  // namespace manyone::test
