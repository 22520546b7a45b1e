// SPDX-License-Identifier: Apache-2.0
//
// Manyone: multiclass kernel classification at the price of one binary machine. The one include for programs.
#pragma once

#include <manyone/classifier.hpp>
#include <manyone/errors.hpp>
#include <manyone/fit.hpp>
#include <manyone/matrix.hpp>
#include <manyone/observer.hpp>
#include <manyone/recipe.hpp>
#include <manyone/run.hpp>
#include <manyone/table.hpp>
#include <manyone/words.hpp>

namespace manyone {

// Functions and layouts that may change with the soname carry its number in their names, so that a program never calls
// those of another. Programs say manyone::fit.
using namespace abi_0;

}  // namespace manyone
