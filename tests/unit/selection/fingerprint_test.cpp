// SPDX-License-Identifier: Apache-2.0
//
// A journal is taken up by the search that wrote it and by no other: its header knows the parameters of which the table
// says that cells score otherwise with them, and the bytes of today's headers are tomorrow's.
#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "model/parameters.hpp"
#include "selection/tune.hpp"
#include "tests/problems.hpp"
#include "tests/unit/model/parameter_examples.hpp"

namespace manyone::test {
namespace {

class Headers : public testing::Test {
 protected:
  std::uint64_t of(const Recipe& recipe) const {
    return journal_header(runtime_.execution(), recipe, data_.rows(), data_.features, data_.labels).recipe;
  }

  /// With centres, so that what only such machines have counts; a grid has a search of its own.
  Recipe recipe() const {
    Recipe out;
    out.machine = "onelsm";
    out.reduction.centres = "4";
    out.search = SearchKind::grid;
    return out;
  }

 private:
  Dataset data_ = clouds(kExampleRows, 2, 3, 0.3, 1);
  Runtime runtime_{1};
};

TEST_F(Headers, KnowTheParametersThatCellsDependOn) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.set == nullptr) continue;
    Recipe changed = recipe();
    parameter.set(changed, example_of(parameter), kExampleRows);
    EXPECT_EQ(of(changed) != of(recipe()), parameter.scores) << parameter.name;
  }
}

TEST_F(Headers, StayWhatTheyAre) {
  EXPECT_EQ(of(Recipe()), 2149942701008480783U);
  EXPECT_EQ(of(recipe()), 17461912326674752595U);
}

}  // namespace
}  // namespace manyone::test
