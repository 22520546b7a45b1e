// SPDX-License-Identifier: Apache-2.0
//
// What options of LIBSVM and scikit-learn are called here: an answer for those who type them from habit.
#pragma once

#include <string>

namespace manyone::cli {

/// "; gamma = 1/(2 sigma^2), so write --sigma 1 for --gamma 0.5" for an option of another program; `value` is what
/// followed it on the command line, or empty. Empty for words that mean nothing elsewhere either.
std::string answer_to_other_name(const std::string& option, const std::string& value);

}  // namespace manyone::cli
