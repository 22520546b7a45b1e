// SPDX-License-Identifier: Apache-2.0
//
// What every model fulfils, whether training made it or a file holds it: sizes agree, numbers are finite, names are
// those of this program. Asked before a model is written and after one is read, so that no file is written that would
// be refused.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"

namespace manyone {

/// What is wrong with a model, in words for one line of a message; nothing for one that works.
std::optional<std::string> defect_of(const Model& model);

/// Checks a model that was just trained: throws BackendError that says what is wrong and what to try.
void require_usable(const Model& model);

}  // namespace manyone
