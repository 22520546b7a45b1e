// SPDX-License-Identifier: Apache-2.0
//
// Plan: what a recipe means for a table, decided once, before any arithmetic. resolve() chooses what the recipe leaves
// to us (the machine, and its centres) and refuses what does not go together; fit() and tune() carry out.
#pragma once

#include <string>

#include "model/recipe.hpp"
#include "model/row_source.hpp"

namespace manyone {

class SharedWork;  // selection/shared_work

/// What is wanted besides a choice of parameters.
struct PlanWishes {
  bool nested = false;       ///< the honest error too: the search repeated inside each fold
  std::string journal = {};  ///< every scored cell is written to that file, and those found there are not scored again
  SharedWork* shared = nullptr;  ///< with plans for the same table that are carried out one after the other
};

struct Plan {
  Recipe recipe;           ///< its machine is in the registry, and has its centres
  const RowSource& table;  ///< outlives the plan
  PlanWishes wishes;

  /// Parameters are searched for, or the error is.
  bool searches() const { return recipe.tuned() || wishes.nested; }
};

/// Says in notes what was chosen. Throws ConfigError for choices that do not go together or not with the table.
Plan resolve(const Execution& execution, Recipe recipe, const RowSource& table, PlanWishes wishes = {});

}  // namespace manyone
