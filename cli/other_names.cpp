// SPDX-License-Identifier: Apache-2.0
#include "cli/other_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace manyone::cli {

namespace {

struct OtherName {
  std::string_view option;
  std::string_view answer;
};

constexpr std::array kOtherNames = {
    OtherName{"--gamma", "gamma = 1/(2 sigma^2); give --sigma instead"},
    OtherName{"-g", "gamma = 1/(2 sigma^2); give --sigma instead"},
    OtherName{"--C", "C is called --cost here; --ridge is 1/cost"},
    OtherName{"-C", "C is called --cost here; --ridge is 1/cost"},
    OtherName{"-c", "C is called --cost here; --ridge is 1/cost"},
    OtherName{"--alpha", "what ridge regression calls alpha is --ridge here; larger = smoother"},
    OtherName{"--coef0", "coef0 is called --offset here: (x'z + offset)^degree"},
    OtherName{"-r", "coef0 is called --offset here: (x'z + offset)^degree"},
    OtherName{"-d", "the degree is given by --degree"},
    OtherName{"--tol", "the tolerance is called --accuracy here"},
    OtherName{"-e", "the tolerance is called --accuracy here"},
    OtherName{"-v", "every fit is cross-validated; --folds says in how many parts"},
    OtherName{"-t", "the kernel is given by name: --kernel gaussian, polynomial or linear"},
    OtherName{"-b", "probabilities are always there: predict --proba"},
    OtherName{"--n-jobs", "the number of threads is given by --threads"}};

}  // namespace

std::string answer_to_other_name(const std::string& option, const std::string& value) {
  const auto equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const auto* found = std::ranges::find(kOtherNames, name, &OtherName::option);
  if (found == kOtherNames.end()) return "";
  const auto number = parse_double(equals == std::string::npos ? value : option.substr(equals + 1));
  if (found->answer.starts_with("gamma") && number && *number > 0) {
    return fmt::format("; gamma = 1/(2 sigma^2), so write --sigma {:.4g}", std::sqrt(0.5 / *number));
  }
  return fmt::format("; {}", found->answer);
}

}  // namespace manyone::cli
