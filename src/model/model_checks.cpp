// SPDX-License-Identifier: Apache-2.0
#include "model/model_checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "data/records/cell.hpp"
#include "labelbook/codes.hpp"
#include "machine/registry.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

using Defect = std::optional<std::string>;

template <class List>
bool lists(const List& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& info) { return info.name == name; });
}

/// Fit for one line of a message or of a comment, as the path of a file is.
bool is_one_line(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

Defect defect_of_names(const Model& model) {
  const auto unknown = [](std::string_view what, const std::string& name) {
    return fmt::format("its {} {} is not one that this program knows", what, shown(name));
  };
  if (!lists(machines(), model.machine)) return unknown("machine", model.machine);
  if (model.search != "fixed" && !is_search_name(model.search)) return unknown("search", model.search);
  if (!is_weight_name(model.weights)) return unknown("weights", model.weights);
  // Books and label kernels may also be files.
  if (!is_one_line(model.labelbook)) return unknown("labelbook", model.labelbook);
  if (!is_one_line(model.label_kernel)) return unknown("label kernel", model.label_kernel);
  const std::set<std::string_view> classes(model.classes.begin(), model.classes.end());
  if (classes.size() != model.classes.size()) return "two of its classes have the same name";
  return {};
}

bool all_finite(const Features& rows) {
  if (!rows.sparse()) return rows.dense().allFinite();
  const SparseMatrix& x = rows.csr();
  return Eigen::Map<const Vector>(x.valuePtr(), x.nonZeros()).allFinite();
}

Defect defect_of_sizes(const Model& model) {
  const Expansion& e = model.expansion;
  const Decoder& decoder = model.decoder;
  const auto L = static_cast<Index>(model.classes.size());
  if (L < 2) return "it has fewer than two classes";
  if (e.coefficients.size() == 0) return "its coefficients are empty";
  if (!decoder.map.allFinite() || !decoder.shift.allFinite() || !decoder.log_priors.allFinite()) {
    return "its decoder is not finite";
  }
  if (decoder.code.rows() != L || !decoder.fits(e.outputs())) return "its labelbook does not fit the coefficients";
  try {
    if (!decoder.fitted())
      make_decoder(machine_from_name(model.machine), {decoder.meaning, decoder.code}, decoder.entry);
  } catch (const ConfigError&) {
    return "its decoder does not fit the labelbook";
  }
  if (e.bias.size() != e.outputs()) return "its bias does not fit the coefficients";
  if (!e.kernel.precomputed() && e.centres.rows() != e.coefficients.rows()) {
    return "its centres do not fit the coefficients";
  }
  const Index d = e.features();
  if (model.scaling.offset.size() != d || model.scaling.factor.size() != d) {
    return "its scaling does not fit the centres";
  }
  if (model.schema.features() != d) return "its columns do not fit the centres";
  for (const Column& column : model.schema.columns) {
    if (column.means.size() > std::max<std::size_t>(1, column.values.size()) + 1) return "a column has too many means";
  }
  const auto& left_out = model.schema.left_out;
  const bool negative =
      std::any_of(left_out.begin(), left_out.end(), [](const auto& column) { return column.position < 0; });
  if (model.schema.target_position < -1 || negative || model.trained_rows < 0) return "a count is negative";
  return {};
}

Defect defect_of_numbers(const Model& model) {
  const Expansion& e = model.expansion;
  const auto finite_means = [](const Column& column) {
    return std::all_of(column.means.begin(), column.means.end(), [](double mean) { return std::isfinite(mean); });
  };
  if (!e.coefficients.allFinite()) return "a coefficient is not finite";
  if (!e.bias.allFinite()) return "a bias is not finite";
  if (!all_finite(e.centres)) return "a centre is not finite";
  if (!model.decoder.code.allFinite()) return "the labelbook is not finite";
  if (!model.scaling.offset.allFinite() || !model.scaling.factor.allFinite()) return "the scaling is not finite";
  const auto& columns = model.schema.columns;
  if (!std::all_of(columns.begin(), columns.end(), finite_means)) return "the mean of a column is not finite";
  if (!(model.ridge > 0 && std::isfinite(model.ridge))) return "the ridge is not a number above 0";
  if (!(model.temperature > 0 && std::isfinite(model.temperature))) return "the temperature is not a number above 0";
  try {
    e.kernel.validate();
  } catch (const ConfigError& error) {
    Complaint complaint = error.complaint();
    complaint.remedy = {};  // is for somebody who trains
    return complaint.words().text();
  }
  if (!model.cv) return {};
  const CvSummary& cv = *model.cv;
  const auto is_rate = [](double share) { return share >= 0 && share <= 1; };
  const bool error_known = is_rate(cv.error) && is_rate(cv.majority_error.value_or(0)) &&
                           (!cv.std || (*cv.std >= 0 && std::isfinite(*cv.std)));
  if (!error_known || cv.folds < 0 || cv.repeats < 1 || cv.rows < 0) return "its cross-validation error is not a rate";
  return {};
}

}  // namespace

Defect defect_of(const Model& model) {
  for (const auto check : {defect_of_names, defect_of_sizes, defect_of_numbers}) {
    if (Defect defect = check(model)) return defect;
  }
  return {};
}

void require_usable(const Model& model) {
  if (const Defect defect = defect_of(model)) {
    throw BackendError(fmt::format("training gave a model that cannot be used: {}", *defect),
                       "scale the features (`scale`), or use another width, degree, ridge or cost");
  }
}

}  // namespace manyone
