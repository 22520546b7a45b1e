// SPDX-License-Identifier: Apache-2.0
#include "model/choices.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::string_view kGaussianOf = "gaussian:";

}  // namespace

CentreChoice::CentreChoice(std::string word) : said(std::move(word)) {
  const std::string_view text = said;
  if (text.ends_with('%')) {
    const auto percent = parse_double(text.substr(0, text.size() - 1));
    if (percent && *percent > 0 && *percent <= 100) count = CentreCount{{}, *percent / 100};
  } else if (const auto number = parse_integer(text); number && *number >= 1) {
    count = CentreCount{static_cast<Index>(*number), {}};
  }
}

void CentreChoice::validate() const {
  if (said.empty() || count || rows.size() > 0) return;
  if (said.ends_with('%')) {
    throw ConfigError::must_be("centers", "a number, a share such as 5% (above 0, up to 100), or a file",
                               fmt::format("'{}'", said), "leave it out to have them chosen");
  }
  if (parse_integer(said)) throw ConfigError::must_be("centers", "1 or more", said, "leave it out to have them chosen");
  throw ConfigError::must_be("centers", "a number, a share such as 5%, or a CSV file with a centre a line",
                             fmt::format("'{}'", said), "leave it out to have them chosen");
}

LabelKernel::LabelKernel(std::string word) : said(std::move(word)) {
  if (gaussian()) width = parse_double(std::string_view(said).substr(kGaussianOf.size()));
}

bool LabelKernel::gaussian() const { return said.starts_with(kGaussianOf) && gram.size() == 0; }

}  // namespace manyone
