// SPDX-License-Identifier: Apache-2.0
//
// Model -> LIBSVM's model file. There every support vector belongs to a class and has one coefficient for each
// other class; a centre with coefficients beyond the pairs of one class is written once for each class it needs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/table_writer.hpp"
#include "decoder/class_pairs.hpp"
#include "manyone/errors.hpp"
#include "model/libsvm_model.hpp"

namespace manyone {

namespace {

std::string kernel_lines(const Kernel& kernel) {
  if (kernel.entry->libsvm != nullptr) return kernel.entry->libsvm(kernel);
  throw ConfigError("libsvm", fmt::format("LIBSVM's models have no {} kernel", kernel.name()),
                    worded("`libsvm` takes {}, `onnx` and `cpp` take all",
                           kernels_with([](const KernelEntry& e) { return e.libsvm != nullptr; })));
}

void check_decoder(const Model& model) {
  const DecoderEntry& decoder = *model.decoder.entry;
  if (decoder.libsvm != LibsvmVotes::none) return;
  throw ConfigError(
      "libsvm",
      fmt::format(
          "LIBSVM has one machine for each pair of classes and decides by votes; this model is {} decoded by {}",
          model.machine, decoder.name),
      "train with `machine=svm-ovo` `decode=votes:first`, or use `onnx`");
}

/// The class that takes most of the columns that are left, and among those the one on whose side they are.
Index best_class(const std::vector<ClassPair>& pairs, const std::vector<std::size_t>& left, ConstView row, Index L) {
  std::vector<std::pair<int, int>> counts(static_cast<std::size_t>(L));
  for (const std::size_t k : left) {
    const bool of_first = row(0, static_cast<Index>(k)) > 0;
    auto& first = counts[static_cast<std::size_t>(pairs[k].first)];
    auto& second = counts[static_cast<std::size_t>(pairs[k].second)];
    ++first.first;
    ++second.first;
    ++(of_first ? first : second).second;
  }
  return std::max_element(counts.begin(), counts.end()) - counts.begin();
}

/// The lines of each class: one for each support vector.
std::vector<std::vector<std::string>> support_vectors(const Expansion& expansion, const std::vector<ClassPair>& pairs,
                                                      Index L) {
  std::vector<std::vector<std::string>> lines(static_cast<std::size_t>(L));
  for (Index i = 0; i < expansion.coefficients.rows(); ++i) {
    const Matrix row = expansion.coefficients.row(i);
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (row(0, static_cast<Index>(k)) != 0) left.push_back(k);
    }
    while (!left.empty()) {
      const Index own = best_class(pairs, left, row, L);
      Vector coefficients = Vector::Zero(L - 1);
      std::erase_if(left, [&](std::size_t k) {
        const auto [first, second] = pairs[k];
        if (first != own && second != own) return false;
        const Index other = first == own ? second : first;
        // The sign is that of the class with the smaller number against the other.
        coefficients[other > own ? other - 1 : other] = (first < second ? 1 : -1) * row(0, static_cast<Index>(k));
        return true;
      });
      std::string line;
      for (const double coefficient : coefficients) {
        if (!line.empty()) line += ' ';
        line += format_double(coefficient);
      }
      append_libsvm_row(line, "", expansion.centres, i);
      lines[static_cast<std::size_t>(own)].push_back(std::move(line));
    }
  }
  return lines;
}

/// rho = -b for all pairs in LIBSVM's order: 1 against 2, 1 against 3, ...
std::string rho_line(const Expansion& expansion, const std::vector<ClassPair>& pairs, Index L) {
  Matrix rho = Matrix::Zero(L, L);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double b = expansion.bias[static_cast<Index>(k)];
    rho(pairs[k].first, pairs[k].second) = b == 0 ? 0 : -b;
    rho(pairs[k].second, pairs[k].first) = b;
  }
  std::string out = "rho";
  for (Index a = 0; a < L; ++a) {
    for (Index c = a + 1; c < L; ++c) out += fmt::format(" {}", format_double(rho(a, c)));
  }
  return out + "\n";
}

}  // namespace

std::string libsvm_model_text(const Model& model) {
  check_decoder(model);
  const auto pairs = class_pairs(model.decoder.code);
  const auto L = std::ssize(model.classes);
  std::string out = "svm_type c_svc\n" + kernel_lines(model.expansion.kernel);
  const auto lines = support_vectors(model.expansion, pairs, L);
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const auto& of_class : lines) {
    counts.push_back(of_class.size());
    total += of_class.size();
  }
  out += fmt::format("nr_class {}\ntotal_sv {}\n", L, total) + rho_line(model.expansion, pairs, L);
  out += fmt::format("label {}\nnr_sv {}\nSV\n", fmt::join(libsvm_labels(model.classes), " "), fmt::join(counts, " "));
  for (const auto& of_class : lines) {
    for (const std::string& line : of_class) out += line;
  }
  return out;
}

}  // namespace manyone
