// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM's model files, small enough to be checked by hand, in both directions, and what must be refused. Files that
// its own tools write and read are in tests/export.
#include "model/libsvm_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "backend/runtime.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

LibsvmModel read(const std::string& text, Index features = 0) {
  return read_libsvm_model(bytes_in_memory(text, "svm.model"), MemoryBudget(std::uint64_t{1} << 30), features);
}

Matrix outputs(const Model& model, const Matrix& rows) {
  return model.expansion.evaluate(*make_backend("reference"), Features(rows));
}

// Classes 7, -2 and 5 with a support vector each.
const std::string kThree =
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 3\nrho 0.1 0.2 0.3\nlabel 7 -2 5\n"
    "nr_sv 1 1 1\nSV\n1 2 1:1 \n-1 3 2:1 \n-2 -3 \n";

TEST(LibsvmModel, CoefficientsStandInThePairsOfTheirClass) {
  const Model model = read(kThree).classifier;
  EXPECT_EQ(model.classes, (std::vector<std::string>{"7", "-2", "5"}));  // ties go to the first of the file
  EXPECT_EQ(model.decoder.entry, &kVotesFirst);
  EXPECT_EQ(model.expansion.features(), 2);
  // Pairs 7 : -2, 7 : 5, -2 : 5. At (0, 0) the kernel values are exp(-1/2), exp(-1/2), 1.
  const double k = std::exp(-0.5);
  const Matrix expected{{k - k - 0.1, 2 * k - 2 - 0.2, 3 * k - 3 - 0.3}};
  expect_close(outputs(model, Matrix{{0, 0}}), expected, kRounding);
  EXPECT_EQ(model.predict(*make_backend("reference"), Features(Matrix{{0, 0}})), (std::vector<int>{2}));
}

TEST(LibsvmModel, GammaOfAPolynomialGoesIntoTheCoefficients) {
  const Model model =
      read(
          "svm_type c_svc\nkernel_type polynomial\ndegree 3\ngamma 0.25\ncoef0 2\nnr_class 2\ntotal_sv 2\n"
          "rho -0.5\nlabel 1 2\nnr_sv 1 1\nSV\n1.5 1:1 2:3\n-1.5 2:-1\n")
          .classifier;
  const Matrix x{{2, 4}};
  const double expected = 1.5 * std::pow(0.25 * 14 + 2, 3) - 1.5 * std::pow(0.25 * -4 + 2, 3) + 0.5;
  expect_close(outputs(model, x), Matrix{{expected}}, kRounding);
  EXPECT_DOUBLE_EQ(1 / model.ridge, 1.5);  // the file has no cost: the largest coefficient
}

TEST(LibsvmModel, ProbabilitiesAreSeenAndLeftOut) {
  std::string text = kThree;
  EXPECT_FALSE(read(text).probabilities);
  text.insert(text.find("nr_sv"), "probA 1 2 3\nprobB 1 2 3\n");
  EXPECT_TRUE(read(text).probabilities);
}

TEST(LibsvmModel, MoreFeaturesMayBeAskedForButNotFewer) {
  EXPECT_EQ(read(kThree, 9).classifier.expansion.features(), 9);
  expect_complaint([] { read(kThree, 1); }, Fault::usage, "features", "leave it out");
}

TEST(LibsvmModel, ImportedModelsCanBeSaved) {
  const Model model = read(kThree).classifier;
  const Model again = Model::from_bytes(model.bytes(), "again");
  EXPECT_EQ(again.decoder.entry, &kVotesFirst);
  expect_close(outputs(again, Matrix{{0.3, -2}}), outputs(model, Matrix{{0.3, -2}}), 0);
}

TEST(LibsvmModel, WhatIsExportedIsReadBackWithTheSameOutputs) {
  const Runtime runtime(1);
  const Dataset data = clouds(60, 3, 4, 0.6, 1);
  for (const std::string machine : {"svm-ovo", "ls-ovo"}) {
    for (const KernelEntry* kernel : {&kGaussian, &kPolynomial, &kLinear}) {
      Recipe recipe;
      recipe.machine = machine;
      recipe.kernel = kernel;
      const Model model = train(runtime.execution(), data, recipe, 0.7, 0.1);
      const Model again = read(libsvm_model_text(model)).classifier;
      EXPECT_EQ(again.classes, (std::vector<std::string>{"1", "2", "3", "4"}));
      Features scaled = data.features;
      model.scaling.apply(scaled);
      const Matrix rows = scaled.dense_rows(0, scaled.rows());
      expect_close(outputs(again, rows), outputs(model, rows), kProduct, machine);
    }
  }
}

TEST(LibsvmModel, CentresThatServeManyPairsAreWrittenForEachClass) {
  Model model = read(kThree).classifier;
  model.expansion.coefficients = Matrix{{1, 2, 3}, {0, -4, 0}, {5, 0, 6}};
  const Model again = read(libsvm_model_text(model)).classifier;
  EXPECT_EQ(again.expansion.coefficients.rows(), 4);
  const Matrix rows = random_matrix(5, 2, 3);
  expect_close(outputs(again, rows), outputs(model, rows), kRounding);
}

TEST(LibsvmModel, WhatLibsvmDoesNotKnowIsNotExported) {
  const Runtime runtime(1);
  Recipe recipe;
  const auto refusal = [&] {
    const Model model = train(runtime.execution(), clouds(30, 3, 3, 0.6, 1), recipe, 0.7, 0.1);
    return message_of([&] { libsvm_model_text(model); });
  };
  expect_contains(refusal(), "machine=svm-ovo decode=votes:first");
  recipe.machine = "svm-dag";
  expect_contains(refusal(), "decoded by dag");
  recipe.machine = "svm-ovo";
  recipe.kernel = &kLaplacian;
  expect_contains(refusal(), "laplacian");
}

/// kThree with one text replaced by another, and what the refusal says.
struct Damage {
  std::string text;
  std::string by;
  std::string place;
  std::string says;
};

TEST(LibsvmModel, DamageIsNamedWithItsLine) {
  for (const Damage& damage :
       std::vector<Damage>{{"c_svc", "nu_svc", "svm.model:1", "nu"},
                           {"c_svc", "epsilon_svr", "svm.model:1", "numbers, not classes"},
                           {"c_svc", "one_class", "svm.model:1", "one class"},
                           {"c_svc", "", "svm.model:1", "expected 1 value behind svm_type"},
                           {"rbf", "sigmoid", "svm.model:2", "not positive definite"},
                           {"rbf", "precomputed", "svm.model:2", "rbf, polynomial or linear"},
                           {"rbf", "polynomial", "svm.model:9", "no line degree"},
                           {"gamma 0.5", "gamma 0", "svm.model:3", "above 0"},
                           {"gamma 0.5", "gamma nan", "svm.model:3", "expected a number"},
                           {"gamma 0.5", "gama 0.5", "svm.model:3", "found 'gama'"},
                           {"gamma 0.5", "svm_type c_svc", "svm.model:3", "twice"},
                           {"nr_class 3", "nr_class 1", "svm.model:4", "two classes"},
                           {"nr_class 3", "nr_class 4", "svm.model:7", "expected 4 values behind label"},
                           {"nr_class 3", "nr_class 100000", "svm.model:7", "behind label"},
                           {"nr_class 3", "nr_class x", "svm.model:4", "whole number"},
                           {"total_sv 3", "total_sv 4", "svm.model:8", "sum to 3"},
                           {"total_sv 3", "total_sv 2", "svm.model:8", "sum to total_sv, 2"},
                           {"rho 0.1 0.2 0.3", "rho 0.1 0.2", "svm.model:6", "expected 3 values behind rho"},
                           {"0.2 0.3", "0.2 zero", "svm.model:6:4", "'zero'"},
                           {"label 7 -2 5", "label 7 -2 7", "svm.model:7", "twice"},
                           {"label 7 -2 5", "label 7 -2 5.5", "svm.model:7", "whole numbers"},
                           {"label 7 -2 5", "label 7 -2 2222222228", "svm.model:7", "32 bits"},
                           {"nr_sv 1 1 1", "nr_sv 1 -1 3", "svm.model:8", "'-1'"},
                           {"SV\n", "", "svm.model:9", "found '1'"},
                           {"SV\n1 2 1:1 \n-1 3 2:1 \n-2 -3 \n", "", "svm.model:8", "before the line SV"},
                           {"-2 -3 \n", "", "svm.model:11", "cut short"},
                           {"-2 -3 \n", "-2 -3\n1 1\n", "svm.model:13", "found more"},
                           {"-2 -3 \n", "-2\n", "svm.model:12", "expected 2 coefficients, found 1"},
                           {"-1 3 2:1", "-1 x 2:1", "svm.model:11:2", "'x'"},
                           {"-1 3 2:1", "-1 3 2", "svm.model:11:3", "index:value"},
                           {"-1 3 2:1", "-1 3 2:1 1:1", "svm.model:11:4", "increase"},
                           {"-1 3 2:1", "-1 3 0:1", "svm.model:11:3", "start at 1"},
                           {"-1 3 2:1", "-1 3 2:inf", "svm.model:11:3", "not finite"}}) {
    std::string text = kThree;
    text.replace(text.find(damage.text), damage.text.size(), damage.by);
    const std::string message = message_of([&] { read(text); });
    expect_contains(message, damage.place);
    expect_contains(message, damage.says);
  }
}

TEST(LibsvmModel, HugeClaimsAreRefusedBeforeMemoryIsTaken) {
  std::string text = kThree;
  text.replace(text.find("total_sv 3"), 10, "total_sv 900000000000");
  text.replace(text.find("nr_sv 1 1 1"), 11, "nr_sv 899999999998 1 1");
  expect_contains(message_of([&] { read(text); }), "cut short");
  text = kThree;
  text.replace(text.find("2:1"), 3, "100000000:1");
  EXPECT_THROW(read(text), MemoryError);
}

}  // namespace
}  // namespace manyone::test
