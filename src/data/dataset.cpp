// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/records/cell.hpp"
#include "manyone/errors.hpp"

namespace manyone {

std::vector<std::string> class_order(std::vector<std::string> names) {
  std::vector<std::pair<double, std::string>> ordered;
  ordered.reserve(names.size());
  for (std::string& name : names) ordered.emplace_back(parse_double(name).value_or(NAN), std::move(name));
  const bool numbers =
      std::all_of(ordered.begin(), ordered.end(), [](const auto& item) { return std::isfinite(item.first); });
  if (!numbers) {
    for (auto& item : ordered) item.first = 0;
  }
  std::sort(ordered.begin(), ordered.end());
  ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
  names.clear();
  for (auto& item : ordered) names.push_back(std::move(item.second));
  return names;
}

ClassIndex::ClassIndex(const std::vector<std::string>& classes) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    exact_[classes[c]] = static_cast<int>(c);
    const auto [known, fresh] = canonical_.emplace(canonical_value(classes[c]), static_cast<int>(c));
    if (!fresh) known->second = -1;
  }
}

std::optional<int> ClassIndex::find(const std::string& name) const {
  if (const auto known = exact_.find(name); known != exact_.end()) return known->second;
  const auto known = canonical_.find(canonical_value(name));
  if (known == canonical_.end() || known->second < 0) return std::nullopt;
  return known->second;
}

void require_two_classes(const std::vector<std::string>& classes, const std::string& source) {
  if (classes.size() >= 2) return;
  throw InputError(
      Place{source},
      fmt::format("expected at least two classes, found {}", classes.empty() ? "none" : "only '" + classes[0] + "'"),
      "give rows of others");
}

Dataset make_dataset(Matrix features, const std::vector<std::string>& labels) {
  for (Index i = 0; i < features.rows(); ++i) {
    for (Index j = 0; j < features.cols(); ++j) {
      if (!std::isfinite(features(i, j))) {
        throw InputError(worded("the value in `row#{}`, feature {} is not finite", i + 1, j + 1));
      }
    }
  }
  return label_rows(std::move(features), labels, "the data");
}

Dataset label_rows(Features features, const std::vector<std::string>& labels, const std::string& source) {
  if (features.rows() != std::ssize(labels)) {
    throw InputError(Place{source},
                     fmt::format("expected a label for each of the {} rows, found {}", features.rows(), labels.size()));
  }
  std::unordered_map<std::string_view, int> index;
  for (const std::string& label : labels) index.emplace(label, 0);
  Dataset data;
  std::vector<std::string> names;
  names.reserve(index.size());
  for (const auto& [name, unused] : index) names.emplace_back(name);
  data.classes = class_order(std::move(names));
  require_two_classes(data.classes, source);
  for (int c = 0; c < data.class_count(); ++c) index[data.classes[static_cast<std::size_t>(c)]] = c;
  data.labels.reserve(labels.size());
  for (const std::string& label : labels) data.labels.push_back(index[label]);
  data.source = source;
  data.schema = Schema::numbered(features.features());
  data.features = std::move(features);
  return data;
}

}  // namespace manyone
