// SPDX-License-Identifier: Apache-2.0
//
// The single machines: held-out outputs are those of refits, weights are repetitions, and what is not reached is said.
#include "machine/single_svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/runtime.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

struct Kind {
  SingleKind kind;
  bool bias;
};
constexpr Kind kKinds[] = {
    {SingleKind::ww, false}, {SingleKind::ww, true}, {SingleKind::cs, false}, {SingleKind::llw, false}};

const Kernel kKernel{&kGaussian, 0.6, 3, 1};

LabelSpace space(int L) { return {make_labelbook("indicator", L), Matrix::Identity(L, L), false}; }

class NoteKeeper : public Observer {
 public:
  void note(const Words& message) override { notes.push_back(message.text()); }
  std::vector<std::string> notes;
};

TEST(SingleSvm, HeldOutOutputsAreThoseOfRefits) {
  const Runtime runtime(2);
  const Matrix x = random_matrix(60, 2, 1);
  LabelledRows rows{random_labels(60, 3, 1), 3, Vector::Ones(60)};
  for (Index i = 0; i < 60; i += 4) rows.weights[i] = 2.5;
  Matrix K = plain_gram(kKernel, x, x);
  const Matrix before = K;
  const std::vector<Folds> partitions = {make_folds({4, false, {}}, rows.labels, 1, 0),
                                         make_folds({3, true, {}}, rows.labels, 1, 1)};
  const std::vector<double> parameters = {3, 0.02, 0.5};  // in no order
  for (const auto& [kind, bias] : kKinds) {
    const SingleSvm machine(space(3), kind, bias, 1e-11);
    Workspace workspace;
    const auto found = machine.heldout(runtime.execution(), kKernel, K, rows, partitions, parameters, workspace);
    EXPECT_TRUE(K == before);
    ASSERT_EQ(found.size(), parameters.size());
    for (std::size_t c = 0; c < parameters.size(); ++c) {
      EXPECT_TRUE(found[c].solved);
      for (std::size_t p = 0; p < partitions.size(); ++p) {
        Matrix expected(60, 3);
        for (const auto& B : partitions[p].rows()) {
          std::vector<Index> R;
          LabelledRows part{{}, 3, {}};
          for (Index i = 0; i < 60; ++i) {
            if (std::find(B.begin(), B.end(), i) != B.end()) continue;
            R.push_back(i);
            part.labels.push_back(rows.labels[static_cast<std::size_t>(i)]);
          }
          part.weights = rows.weights(R);
          const Matrix K_RR = K(R, R);
          const Coefficients fit = machine.fit(runtime.execution(), MatrixGram(kKernel, K_RR), part, parameters[c]);
          Matrix f = Matrix(K(B, R)) * fit.A;
          f.rowwise() += fit.b.transpose();
          for (std::size_t k = 0; k < B.size(); ++k) expected.row(B[k]) = f.row(static_cast<Index>(k));
        }
        expect_close(found[c].of_partition[p], expected, kSolution);
      }
    }
  }
}

TEST(SingleSvm, AWeightOfTwoIsARowThatOccursTwice) {
  const Runtime runtime(1);
  const Matrix x = random_matrix(40, 2, 2);
  LabelledRows weighted{random_labels(40, 4, 2), 4, Vector::Ones(40)};
  LabelledRows repeated{{}, 4, {}};
  std::vector<Index> rows;
  for (Index i = 0; i < 40; ++i) {
    if (i % 3 == 0) weighted.weights[i] = 2;
    for (int copy = 0; copy < (i % 3 == 0 ? 2 : 1); ++copy) {
      rows.push_back(i);
      repeated.labels.push_back(weighted.labels[static_cast<std::size_t>(i)]);
    }
  }
  const Matrix K = plain_gram(kKernel, x, x);
  const Matrix K_repeated = K(rows, rows);
  for (const auto& [kind, bias] : kKinds) {
    const SingleSvm machine(space(4), kind, bias, 1e-11);
    const double parameter = 0.7;
    const Coefficients one = machine.fit(runtime.execution(), MatrixGram(kKernel, K), weighted, parameter);
    const Coefficients other = machine.fit(runtime.execution(), MatrixGram(kKernel, K_repeated), repeated, parameter);
    Matrix f = K * one.A;
    f.rowwise() += one.b.transpose();
    Matrix g = Matrix(K(Eigen::all, rows)) * other.A;
    g.rowwise() += other.b.transpose();
    expect_close(g, f, kSolution);
  }
}

TEST(SingleSvm, OutputsDoNotDependOnThreads) {
  const Matrix x = random_matrix(150, 3, 3);
  const LabelledRows rows{random_labels(150, 5, 3), 5, {}};
  for (const auto& [kind, bias] : kKinds) {
    const SingleSvm machine(space(5), kind, bias);
    Coefficients found[2];
    for (const int threads : {1, 2}) {
      const Runtime runtime(threads);
      found[threads - 1] = machine.fit(runtime.execution(), FeatureGram(runtime.execution(), kKernel, x), rows, 0.5);
    }
    EXPECT_TRUE(found[0].A == found[1].A);
    EXPECT_TRUE(found[0].b == found[1].b);
  }
}

TEST(SingleSvm, AToleranceThatIsNotReachedIsNoted) {
  NoteKeeper notes;
  const Runtime runtime(1, "cpu", &notes);
  const Matrix x = random_matrix(6, 2, 4);
  const LabelledRows rows{random_labels(6, 3, 4), 3, {}};
  const SingleSvm machine(space(3), SingleKind::ww, false, 0);  // rounding forbids it
  machine.fit(runtime.execution(), FeatureGram(runtime.execution(), kKernel, x), rows, 1e-6);
  ASSERT_EQ(notes.notes.size(), 1u);
  EXPECT_NE(notes.notes[0].find("duality gap"), std::string::npos);
}

TEST(SingleSvm, ScoresAreTheOutputs) {
  const SingleSvm machine(space(3), SingleKind::cs, false);
  EXPECT_EQ(machine.output_code().meaning, OutputMeaning::scores);
  EXPECT_TRUE(machine.output_code().code == Matrix::Identity(3, 3));
  EXPECT_TRUE(machine.shares_kernel());
}

}  // namespace
}  // namespace manyone::test
