// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM's model file -> Model. The file is text: "key values" lines, then "SV" and a line for each support vector
// with its coefficients and "index:value" pairs. Nothing of it is believed: counts are checked against what is there
// before anything of their size is allocated.
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/records/cell.hpp"
#include "data/records/libsvm_reader.hpp"
#include "manyone/errors.hpp"
#include "model/libsvm_model.hpp"
#include "model/libsvm_model_text.hpp"

namespace manyone {

namespace {

void check_type(const LibsvmModelText& text) {
  const std::string& type = text.word("svm_type");
  if (type == "c_svc") return;
  const std::string_view reason = type == "nu_svc"                            ? "its nu is no cost, which svm-ovo has"
                                  : type == "epsilon_svr" || type == "nu_svr" ? "it predicts numbers, not classes"
                                  : type == "one_class"                       ? "it knows one class only"
                                                                              : "this type is not known";
  text.fail_at("svm_type",
               fmt::format("expected svm_type c_svc, found {}: {}; train with svm-train -s 0", shown(type), reason));
}

/// The kernel, and what coefficients are multiplied by: (gamma x'z + coef0)^degree is gamma^degree times
/// (x'z + coef0 / gamma)^degree.
std::pair<Kernel, double> kernel_of(const LibsvmModelText& text) {
  Kernel kernel;
  const std::string& name = text.word("kernel_type");
  const std::size_t line = text.line_of("kernel_type");
  if (name == "linear") {
    kernel.entry = &kLinear;
    return {kernel, 1};
  }
  if (name != "rbf" && name != "polynomial") {
    text.fail(line, fmt::format("expected kernel_type rbf, polynomial or linear, found {}{}", shown(name),
                                name == "sigmoid"       ? ": it is not positive definite and no kernel here"
                                : name == "precomputed" ? ": the file does not hold the rows it was computed from"
                                                        : ""));
  }
  const double gamma = text.number("gamma");
  if (!(gamma > 0)) text.fail_at("gamma", "expected a gamma above 0");
  if (name == "rbf") {
    kernel.entry = &kGaussian;
    kernel.sigma = 1 / std::sqrt(2 * gamma);
    if (!std::isfinite(kernel.sigma) || !(kernel.sigma > 0)) {
      text.fail_at("gamma", "gamma is too near to 0 or to infinity");
    }
    return {kernel, 1};
  }
  kernel.entry = &kPolynomial;
  const std::int64_t degree = text.integer("degree");
  if (degree < 1 || degree > 100) {
    text.fail_at("degree", fmt::format("expected a degree from 1 to 100, found {}", degree));
  }
  kernel.degree = static_cast<int>(degree);
  kernel.offset = text.number("coef0") / gamma;
  const double factor = std::pow(gamma, kernel.degree);
  if (!(kernel.offset >= 0) || !std::isfinite(kernel.offset)) {
    text.fail_at("coef0", "expected a coef0 of 0 or more: with others the kernel is not positive definite");
  }
  if (!std::isnormal(factor)) text.fail_at("gamma", "gamma to the power of degree is beyond double");
  return {kernel, factor};
}

std::vector<std::string> classes_of(const LibsvmModelText& text, Index L) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  const std::size_t line = text.line_of("label");
  for (const std::string& label : text.list("label", static_cast<std::size_t>(L))) {
    const auto number = parse_integer(label);
    if (!number || !std::in_range<int>(*number)) {  // they are ints in LIBSVM
      text.fail(line, fmt::format("expected whole numbers of 32 bits as labels, found {}", shown(label)),
                out.size() + 2);
    }
    out.push_back(std::to_string(*number));
    if (!seen.insert(out.back()).second) text.fail(line, fmt::format("label {} is there twice", out.back()));
  }
  return out;
}

/// Support vectors of each class.
std::vector<Index> class_counts(const LibsvmModelText& text, Index L) {
  std::vector<Index> out;
  const std::int64_t total = text.integer("total_sv");
  const std::size_t line = text.line_of("nr_sv");
  std::int64_t left = total;
  for (const std::string& value : text.list("nr_sv", static_cast<std::size_t>(L))) {
    const auto count = parse_integer(value);
    if (!count || *count < 0 || *count > left) {
      text.fail(line, fmt::format("expected counts that sum to total_sv, {}, found {}", total, shown(value)),
                out.size() + 2);
    }
    left -= *count;
    out.push_back(*count);
  }
  if (left != 0) text.fail(line, fmt::format("the counts sum to {}, total_sv is {}", total - left, total));
  if (total == 0) text.fail(line, "the model has no support vectors");
  return out;
}

/// Column of the pair (a, c), a < c, in LIBSVM's order.
Index pair_column(Index a, Index c, Index L) { return a * (2 * L - a - 1) / 2 + (c - a - 1); }

Matrix pair_code(Index L) {
  Matrix code = Matrix::Zero(L, L * (L - 1) / 2);
  for (Index a = 0; a < L; ++a) {
    for (Index c = a + 1; c < L; ++c) {
      code(a, pair_column(a, c, L)) = 1;
      code(c, pair_column(a, c, L)) = -1;
    }
  }
  return code;
}

/// The lines of support vectors as they are: L - 1 coefficients each, and features.
struct SupportVectors {
  std::vector<double> coefficients;
  SparseRows rows;
};

SupportVectors read_vectors(LibsvmModelText& text, Index total, Index L, const MemoryBudget& memory) {
  SupportVectors out;
  std::size_t looked = 0;
  std::string_view line;
  while (text.next(line)) {
    if (out.rows.rows() == total) text.fail(text.line(), fmt::format("expected {} support vectors, found more", total));
    std::size_t token = 1;
    for (Index k = 0; k < L - 1; ++k, ++token) {
      if (line.empty()) text.fail(text.line(), fmt::format("expected {} coefficients, found {}", L - 1, k));
      out.coefficients.push_back(text.number_from(take_libsvm_token(line), text.line(), token));
    }
    for (; !line.empty(); ++token) {
      const Place place{text.name(), text.line(), token};
      if (!append_libsvm_entry(take_libsvm_token(line), place, out.rows))
        throw InputError(place, "a value of a support vector is missing", "write the model again");
    }
    out.rows.starts.push_back(static_cast<Index>(out.rows.values.size()));
    const std::size_t numbers = 2 * out.rows.values.size() + out.rows.starts.size() + out.coefficients.size();
    constexpr std::size_t kOften = std::size_t{1} << 17;  // numbers between two looks at the budget
    if (numbers < looked + kOften) continue;
    looked = numbers;
    memory.require(2.0 * sizeof(double) * static_cast<double>(numbers), "the support vectors of " + text.name(),
                   "allow more with `memory`");  // lists grow by copies
  }
  if (out.rows.rows() < total) {
    text.fail(text.line(),
              fmt::format("expected {} support vectors, found {}; the file may be cut short", total, out.rows.rows()));
  }
  return out;
}

/// Coefficients in the columns of the pairs of their class.
Matrix pair_coefficients(const SupportVectors& vectors, const std::vector<Index>& counts) {
  const auto L = std::ssize(counts);
  Matrix A = Matrix::Zero(vectors.rows.rows(), L * (L - 1) / 2);
  Index i = 0;
  for (Index own = 0; own < L; ++own) {
    for (Index n = 0; n < counts[static_cast<std::size_t>(own)]; ++n, ++i) {
      for (Index k = 0; k < L - 1; ++k) {
        const Index other = k < own ? k : k + 1;
        A(i, pair_column(std::min(own, other), std::max(own, other), L)) =
            vectors.coefficients[static_cast<std::size_t>(i * (L - 1) + k)];
      }
    }
  }
  return A;
}

Index features_of(const LibsvmModelText& text, const SparseRows& rows, Index asked) {
  Index largest = 0;
  for (const int index : rows.indices) largest = std::max<Index>(largest, index + 1);
  if (asked > 0 && asked < largest) {
    throw ConfigError("features",
                      worded("`features={}` is less than the largest index of {}, {}", asked, text.name(), largest),
                      "leave it out to have that many");
  }
  if (largest == 0 && asked == 0) text.fail(text.line(), "no support vector has a single index:value pair");
  return asked > 0 ? asked : largest;
}

Vector biases_of(const LibsvmModelText& text, Index q) {
  const auto& rho = text.list("rho", static_cast<std::size_t>(q));
  Vector out(q);
  for (Index k = 0; k < q; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double value = text.number_from(rho[at], text.line_of("rho"), at + 2);
    out[k] = value == 0 ? 0 : -value;
  }
  return out;
}

/// What a model says of itself. A support vector at its bound has the cost as coefficient: the largest stands for it.
void describe(Model& model, Index features, Index vectors, double largest) {
  model.machine = machine_of_svm_pairs().name;
  model.labelbook = "ava";
  model.label_kernel = "linear";
  model.search = "fixed";
  model.weights = "uniform";
  model.ridge = largest > 0 && std::isnormal(1 / largest) ? 1 / largest : 1;
  model.schema = Schema::numbered(features);
  model.scaling = {ScalingKind::none, Vector::Zero(features), Vector::Ones(features)};
  model.decoder = {&kVotesFirst, OutputMeaning::columns, pair_code(std::ssize(model.classes))};
  model.trained_rows = vectors;
}

}  // namespace

LibsvmModel read_libsvm_model(std::unique_ptr<ByteSource> source, const MemoryBudget& memory, Index features) {
  LibsvmModelText text(std::move(source));
  check_type(text);
  const auto [kernel, factor] = kernel_of(text);
  const Index L = text.integer("nr_class");
  constexpr Index most_classes = 100'000;
  if (L < 2 || L > most_classes) {
    text.fail_at("nr_class", fmt::format("expected two classes or more, found nr_class {}", L));
  }
  const Index q = L * (L - 1) / 2;
  LibsvmModel out;
  out.probabilities = text.has("probA") || text.has("probB");
  Model& model = out.classifier;
  model.classes = classes_of(text, L);
  Expansion& expansion = model.expansion;
  expansion.kernel = kernel;
  expansion.bias = biases_of(text, q);
  const std::vector<Index> counts = class_counts(text, L);
  const Index m = std::accumulate(counts.begin(), counts.end(), Index{0});
  const SupportVectors vectors = read_vectors(text, m, L, memory);
  memory.require(8.0 * static_cast<double>(q) * static_cast<double>(m + L),
                 fmt::format("a model of {} support vectors and {} pairs of classes", m, q),
                 "allow more with `memory`");
  expansion.coefficients = pair_coefficients(vectors, counts);
  const double largest = expansion.coefficients.cwiseAbs().maxCoeff();
  expansion.coefficients *= factor;
  if (!expansion.coefficients.allFinite()) {
    text.fail_at("gamma", "the coefficients times gamma^degree are beyond double");
  }
  const Index d = features_of(text, vectors.rows, features);
  memory.require(16.0 * static_cast<double>(d), fmt::format("a model of {} features", d), "allow more with `memory`");
  const bool sparse =
      stays_sparse(static_cast<double>(vectors.rows.values.size()), static_cast<double>(m), static_cast<double>(d));
  expansion.centres = vectors.rows.features(d, sparse, memory);
  describe(model, d, m, largest);
  return out;
}

}  // namespace manyone
