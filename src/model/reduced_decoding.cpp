// SPDX-License-Identifier: Apache-2.0
#include "model/reduced_decoding.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "labelbook/codes.hpp"
#include "manyone/errors.hpp"

namespace manyone {

ReducedDecoding::ReducedDecoding(const Recipe& recipe, std::span<const Index> class_counts)
    : recipe_(recipe), entry_(recipe.entry()), counts_(class_counts.begin(), class_counts.end()) {
  const auto L = std::ssize(counts_);
  if (!entry_.fitted_decoder) {
    std::vector<int> labels;
    for (int c = 0; c < static_cast<int>(L); ++c) labels.push_back(c);
    const auto machine = machine_of(recipe, labels, L);
    plain_ = decoder_of(recipe, *machine);
    labels_ = machine->labels();
    const bool encodes = entry_.encodes_targets && !labels_.own_kernel;
    const Index outputs = trains_columns() ? plain_->code.cols() : L;
    targets_ = encodes ? labels_.book.codewords : Matrix(Matrix::Identity(outputs, outputs));
    return;
  }
  const auto fitted = [](const DecoderEntry& d) { return d.fitted(); };
  if (rule().of_scores && is_code(recipe.book())) {
    throw ConfigError(
        "decode",
        worded("`decode={}` compares inner products with codewords, which needs a labelbook such as indicator, not the "
               "code {}",
               rule().name, recipe.book()),
        fmt::format("use {}", decoders_with(fitted, " or ")));
  }
  if (!rule().of_scores && !rule().fitted()) {
    throw ConfigError("decode", worded("`decode={}` does not go with {}", rule().name, entry_.name),
                      fmt::format("it decodes by {} or {}", decoders_with(fitted), kArgmax.name));
  }
  const ClassPriors& priors = recipe.priors;
  if (priors.uniform() || priors.of_rows()) return;
  if (priors.numbers.size() == 0) {
    throw ConfigError::must_be("priors", "uniform, data or a CSV file with a number for each class",
                               fmt::format("'{}'", priors.said), "leave it out for uniform ones");
  }
  const bool positive = (priors.numbers.array() > 0).all();
  if (priors.numbers.size() != L || !positive) {
    throw InputError(
        Place{priors.said},
        fmt::format("expected {} numbers above 0, one for each class in class order, found {}", L,
                    positive ? std::to_string(priors.numbers.size()) : format_double(priors.numbers.minCoeff())),
        {}, "priors");
  }
}

const DecoderEntry& ReducedDecoding::rule() const {
  if (plain_) return *plain_->entry;
  return recipe_.decode != nullptr ? *recipe_.decode : decoder_from_name(entry_.usual_decoder);
}

Matrix ReducedDecoding::code(const ReducedFit& fit) const {
  if (plain_) return targets_;
  const std::string name(recipe_.book());
  BookRequest request{static_cast<int>(classes()), counts_, recipe_.seed, recipe_.code_length, {}, recipe_.codewords};
  request.explained = fit.explained;
  return make_labelbook(name, request).codewords;
}

Vector ReducedDecoding::priors(const GroupedSums& seen) const {
  if (recipe_.priors.numbers.size() > 0) return recipe_.priors.numbers;
  return recipe_.priors.of_rows() ? seen.weights : Vector::Ones(classes());
}

Decoder ReducedDecoding::decoder(const Backend& backend, const ReducedFit& fit, const Matrix& code,
                                 const GroupedSums& seen, const Matrix& outputs, std::span<const int> labels,
                                 const Vector& weights) const {
  if (plain_) return *plain_;
  if (!rule().fitted()) {
    Decoder out;
    out.code = code;
    return out;
  }
  const Matrix W = fit.W * code;
  if (rule().fit_to_spread != nullptr) {
    const GroupedOutputs of = outputs_of_groups(backend, seen, W, Vector(code.transpose() * fit.c));
    return rule().fit_to_spread({of.means, of.within, seen.weights}, priors(seen));
  }
  return rule().fit_to_rows({.outputs = outputs * code,
                             .labels = labels,
                             .classes = classes(),
                             .weights = weights,
                             .W = W,
                             .origin = code.transpose() * fit.origin,
                             .cost = recipe_.decode_cost.value_or(1)});
}

}  // namespace manyone
