// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel.hpp"

#include <gtest/gtest.h>

#include "base/small_algebra.hpp"
#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(Kernel, ValuesByHand) {
  EXPECT_DOUBLE_EQ((Kernel{&kGaussian, 2, 3, 1}(8)), std::exp(-1));   // |x-z|^2 = 2 sigma^2
  EXPECT_DOUBLE_EQ((Kernel{&kLaplacian, 2, 3, 1}(4)), std::exp(-1));  // |x-z| = sigma
  EXPECT_DOUBLE_EQ((Kernel{&kPolynomial, 1, 3, 1}(1)), 8);
  EXPECT_DOUBLE_EQ((Kernel{&kPolynomial, 1, 2, 0}(-3)), 9);
  const double root3 = std::sqrt(3);
  const double root5 = std::sqrt(5);
  EXPECT_DOUBLE_EQ((Kernel{&kernel_from_name("matern32"), 2, 3, 1}(4)), (1 + root3) * std::exp(-root3));
  EXPECT_DOUBLE_EQ((Kernel{&kernel_from_name("matern52"), 2, 3, 1}(4)), (1 + root5 + 5. / 3) * std::exp(-root5));
  EXPECT_EQ((Kernel{&kLinear, 1, 3, 1}(-0.75)), -0.75);
  EXPECT_EQ((Kernel{&kPrecomputed, 1, 3, 1}(0.25)), 0.25);
}

/// One kernel of each kind, with parameters that are none of the defaults.
std::vector<Kernel> one_of_each() {
  std::vector<Kernel> out;
  for (const KernelEntry* entry : kernels()) out.push_back({entry, 0.7, 3, 0.5});
  return out;
}

TEST(Kernel, EveryEntryIsComplete) {
  for (const KernelEntry* entry : kernels()) {
    EXPECT_FALSE(entry->name.empty());
    EXPECT_FALSE(entry->formula.empty()) << entry->name;
    EXPECT_TRUE(entry->value != nullptr && entry->slope != nullptr && entry->steps != nullptr) << entry->name;
    EXPECT_EQ(entry->other_name.empty(), entry->in_other_words.empty()) << entry->name;
    EXPECT_EQ(&kernel_from_name(entry->name), entry);
  }
}

TEST(Kernel, RadialKernelsAreOneAtDistanceZeroAndFallWithIt) {
  for (const Kernel& kernel : one_of_each()) {
    EXPECT_EQ(kernel.entry->sigma, kernel.radial()) << kernel.name();
    if (!kernel.radial()) continue;
    EXPECT_EQ(kernel(0), 1) << kernel.name();
    for (const double s : {1e-6, 0.01, 0.5, 2., 30.}) EXPECT_LT(kernel(1.1 * s), kernel(s)) << kernel.name();
  }
}

TEST(Kernel, TheSlopeIsTheDerivativeOfTheValue) {
  for (const Kernel& kernel : one_of_each()) {
    for (const double s : {0.03, 0.4, 1., 3.7}) {
      const double h = 1e-6 * s;
      const double difference = (kernel(s + h) - kernel(s - h)) / (2 * h);
      EXPECT_NEAR(kernel.entry->slope(kernel, s), difference, 1e-8 * (1 + std::abs(difference))) << kernel.name();
    }
    EXPECT_TRUE(std::isfinite(kernel.entry->slope(kernel, 0))) << kernel.name();
  }
}

/// The steps of a formula one after the other.
double by_steps(const std::vector<Formula::Step>& steps, double statistic) {
  std::vector<double> values{statistic};
  for (std::size_t k = 1; k < steps.size(); ++k) {
    const Formula::Step& step = steps[k];
    const double left = values.at(static_cast<std::size_t>(step.left));
    const double right = values.at(static_cast<std::size_t>(step.right));
    switch (step.verb) {
      case Formula::Verb::scale: values.push_back(step.number * left); break;
      case Formula::Verb::shift: values.push_back(left + step.number); break;
      case Formula::Verb::add: values.push_back(left + right); break;
      case Formula::Verb::multiply: values.push_back(left * right); break;
      case Formula::Verb::root: values.push_back(std::sqrt(left)); break;
      case Formula::Verb::decay: values.push_back(std::exp(-step.number * left)); break;
      case Formula::Verb::power: values.push_back(std::pow(left, step.exponent)); break;
      case Formula::Verb::statistic: values.push_back(statistic); break;
    }
  }
  return values.back();
}

TEST(Kernel, TheStepsGiveTheValue) {
  for (const Kernel& kernel : one_of_each()) {
    const auto steps = kernel.entry->steps(kernel);
    EXPECT_EQ(steps.front().verb, Formula::Verb::statistic);
    for (const double s : {0., 0.03, 0.4, 1., 3.7, 50.}) {
      EXPECT_NEAR(by_steps(steps, s), kernel(s), 1e-14 * kernel(s)) << kernel.name();
    }
  }
}

TEST(Kernel, GramMatricesOfRowsArePositiveSemidefinite) {
  const Matrix x = random_matrix(25, 2, 3);
  for (const Kernel& kernel : vector_kernels()) {
    EXPECT_GT(symmetric_eigen(plain_gram(kernel, x, x)).values[0], -1e-10) << kernel.name();
  }
}

TEST(Formula, SharedPartsAreComputedOnce) {
  const Formula s = Formula::statistic();
  const Formula t = root(s) * 2.0;
  EXPECT_EQ(((t + 1.0) * decay(t)).steps().size(), 6U);  // s, root, scale, shift, decay of the root, product
}

TEST(Kernel, AnUnknownNameSuggestsTheNearestAndListsAll) {
  const std::string message = message_of([] { kernel_from_name("gausian"); });
  expect_contains(message, "'gausian'");
  expect_contains(message, "did you mean 'gaussian'");
  expect_contains(message, "precomputed");
}

TEST(Kernel, ValidateNamesTheParameterThatIsOutOfRange) {
  expect_complaint([] { Kernel{&kGaussian, 0, 3, 1}.validate(); }, Fault::usage, "sigma", "leave it out");
  expect_complaint([] { Kernel{&kLaplacian, -1, 3, 1}.validate(); }, Fault::usage, "sigma", "leave it out");
  expect_complaint([] { Kernel{&kGaussian, NAN, 3, 1}.validate(); }, Fault::usage, "sigma", "leave it out");
  expect_complaint([] { Kernel{&kPolynomial, 1, 0, 1}.validate(); }, Fault::usage, "degree", "usual");
  expect_complaint([] { Kernel{&kPolynomial, 1, 101, 1}.validate(); }, Fault::usage, "degree", "usual");
  expect_complaint([] { Kernel{&kPolynomial, 1, 2, -1}.validate(); }, Fault::usage, "offset", "usual");
  EXPECT_NO_THROW((Kernel{&kLinear, 0, 0, -1}.validate()));
}

}  // namespace
}  // namespace manyone::test
