// SPDX-License-Identifier: Apache-2.0
#include "manyone/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include "manyone/base/errors.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(Kernel, ValuesByHand) {
  EXPECT_DOUBLE_EQ((Kernel{KernelKind::gaussian, 2, 3, 1}(8)), std::exp(-1));   // |x-z|^2 = 2 sigma^2
  EXPECT_DOUBLE_EQ((Kernel{KernelKind::laplacian, 2, 3, 1}(4)), std::exp(-1));  // |x-z| = sigma
  EXPECT_DOUBLE_EQ((Kernel{KernelKind::polynomial, 1, 3, 1}(1)), 8);
  EXPECT_DOUBLE_EQ((Kernel{KernelKind::polynomial, 1, 2, 0}(-3)), 9);
  EXPECT_EQ((Kernel{KernelKind::linear, 1, 3, 1}(-0.75)), -0.75);
  EXPECT_EQ((Kernel{KernelKind::precomputed, 1, 3, 1}(0.25)), 0.25);
}

TEST(Kernel, RadialKernelsAreOneAtDistanceZero) {
  for (const KernelInfo& info : kernels()) {
    const Kernel kernel{info.kind, 0.3, 3, 1};
    if (kernel.radial()) {
      EXPECT_EQ(kernel(0), 1) << info.name;
    }
    EXPECT_EQ(kernel.statistic() == PairStatistic::squared_distance, kernel.radial()) << info.name;
    EXPECT_EQ(kernel.has_sigma(), kernel.radial()) << info.name;
  }
}

TEST(Kernel, NamesReadBack) {
  for (const KernelInfo& info : kernels()) {
    EXPECT_EQ(kernel_from_name(info.name), info.kind);
    EXPECT_EQ(name_of(info.kind), info.name);
  }
}

TEST(Kernel, AnUnknownNameSuggestsTheNearestAndListsAll) {
  const std::string message = message_of([] { kernel_from_name("gausian"); });
  expect_contains(message, "'gausian'");
  expect_contains(message, "did you mean 'gaussian'");
  expect_contains(message, "precomputed");
}

TEST(Kernel, ValidateNamesTheParameterThatIsOutOfRange) {
  expect_contains(message_of([] { Kernel{KernelKind::gaussian, 0, 3, 1}.validate(); }), "sigma");
  expect_contains(message_of([] { Kernel{KernelKind::laplacian, -1, 3, 1}.validate(); }), "sigma");
  expect_contains(message_of([] { Kernel{KernelKind::gaussian, NAN, 3, 1}.validate(); }), "sigma");
  expect_contains(message_of([] { Kernel{KernelKind::polynomial, 1, 0, 1}.validate(); }), "degree");
  expect_contains(message_of([] { Kernel{KernelKind::polynomial, 1, 101, 1}.validate(); }), "degree");
  expect_contains(message_of([] { Kernel{KernelKind::polynomial, 1, 2, -1}.validate(); }), "offset");
  EXPECT_NO_THROW((Kernel{KernelKind::linear, 0, 0, -1}.validate()));
}

}  // namespace
}  // namespace manyone::test
