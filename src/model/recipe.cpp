// SPDX-License-Identifier: Apache-2.0
#include "model/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/small_algebra.hpp"
#include "base/worded.hpp"
#include "machine/registry.hpp"
#include "manyone/errors.hpp"
#include "model/parameters.hpp"

namespace manyone {

namespace {

constexpr std::array kSearches = {SearchKind::automatic, SearchKind::grid, SearchKind::halving, SearchKind::design,
                                  SearchKind::greedy};
constexpr std::array kWeights = {WeightKind::uniform, WeightKind::balanced, WeightKind::given};

// Less, or more than its inverse, would not survive being divided among rows.
constexpr double kLeastRidge = 1e-290;

void check_range(const LogRange& range, std::string_view name) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.step > 0) || range.low > range.high ||
      range.low < -60 || range.high > 60) {
    throw ConfigError("grid", fmt::format("the grid of {} must be low:high or low:high:step in powers of two", name),
                      "stay within -60..60");
  }
  if ((range.high - range.low) / range.step > 1000)
    throw ConfigError("grid", fmt::format("the grid of {} has over 1000 values", name), "use a larger step");
}

/// Whether two labels have the same inner products with all, so that their classes would always tie.
bool has_equal_labels(const Matrix& gamma) {
  for (Index r = 0; r < gamma.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if (gamma.row(r) == gamma.row(s)) return true;
    }
  }
  return false;
}

/// Throws InputError unless `out` can be the inner products of L labels; `source` is for the message.
Matrix checked_label_gram(const Matrix& out, const std::string& source, Index L) {
  if (out.rows() != L || out.cols() != L) {
    throw InputError(
        Place{source},
        fmt::format("expected a {0} x {0} matrix, one row per class, found {1} x {2}", L, out.rows(), out.cols()), {},
        "label_kernel");
  }
  if (!out.allFinite())
    throw InputError(Place{source}, "the label Gram matrix must hold finite numbers", {}, "label_kernel");
  const double largest = out.cwiseAbs().maxCoeff();
  if (!((out - out.transpose()).cwiseAbs().maxCoeff() <= 1e-10 * largest)) {
    throw InputError(Place{source}, "the label Gram matrix is not symmetric", {}, "label_kernel");
  }
  Matrix symmetric = (out + out.transpose()) / 2;
  const double smallest = symmetric_eigen(symmetric).values[0];
  if (!(smallest >= -1e-10 * largest) || largest == 0) {
    throw InputError(
        Place{source},
        fmt::format("the label Gram matrix is not positive semidefinite: its smallest eigenvalue is {:.3g}", smallest),
        "it must hold inner products of labels", "label_kernel");
  }
  if (has_equal_labels(symmetric)) {
    throw InputError(Place{source},
                     "two rows of the label Gram matrix are equal, so their classes could not be told apart", {},
                     "label_kernel");
  }
  return symmetric;
}

/// Gamma from a kernel on the codewords.
Matrix label_gram(const LabelKernel& choice, const Labelbook& book) {
  const Index L = book.classes();
  if (choice.gram.size() > 0) return checked_label_gram(choice.gram, choice.said, L);
  if (!choice.gaussian()) {
    throw ConfigError::must_be("label_kernel",
                               fmt::format("linear, gaussian:S or a CSV file with a {0} x {0} matrix", L),
                               fmt::format("'{}'", choice.said), "leave it out for linear");
  }
  if (!choice.width || !Kernel::is_width(*choice.width)) {
    throw ConfigError("label_kernel",
                      worded("`label_kernel=gaussian:S` needs a width above 0, from {} to {}, found '{}'",
                             format_double(Kernel::kLeastWidth), format_double(Kernel::kLargestWidth), choice.said),
                      "use a width near 1");
  }
  const Kernel kernel{&kGaussian, *choice.width, 3, 1};
  Matrix out(L, L);
  for (Index r = 0; r < L; ++r) {
    for (Index s = 0; s < L; ++s) out(r, s) = kernel((book.codewords.row(r) - book.codewords.row(s)).squaredNorm());
  }
  if (has_equal_labels(out)) {
    throw ConfigError("label_kernel",
                      worded("`label_kernel` '{}' is so wide that all labels are the same", choice.said),
                      "use a width near 1");
  }
  return out;
}

void check_reduction(const Recipe& recipe, const MachineEntry& entry) {
  const Reduction& reduction = recipe.reduction;
  const bool asked = !reduction.centres.empty() || reduction.kind || reduction.penalty || reduction.centres_from_all;
  if (asked && entry.on_columns == nullptr) {
    throw ConfigError(
        "centers",
        worded("{} needs the whole kernel matrix and takes no `centers`, `centers_from`, `reduce` or `penalty`",
               entry.name),
        "leave them out, or use msvr or a least-squares machine");
  }
  if (reduction.penalty && entry.own_penalty) {
    throw ConfigError("penalty", fmt::format("{} has its own penalty", entry.name), "leave `penalty` out");
  }
  if (recipe.decode_cost && !(*recipe.decode_cost > 0 && std::isfinite(*recipe.decode_cost))) {
    throw ConfigError(
        "decode",
        worded("`decode={}:COST` needs a number above 0, found {}",
               decoders_with([](const DecoderEntry& d) { return d.cost; }), format_double(*recipe.decode_cost)),
        "leave the cost out to have 1");
  }
  if (!recipe.priors.uniform() && recipe.decode != nullptr && !recipe.decode->priors) {
    throw ConfigError(
        "priors",
        worded("`priors` goes with `decode={}`", decoders_with([](const DecoderEntry& d) { return d.priors; })),
        "other decoders have none");
  }
  if (!recipe.priors.uniform() && !entry.fitted_decoder) {
    throw ConfigError(
        "priors",
        worded("`priors` goes with {}, {} does not use them", machines_with(&MachineEntry::fitted_decoder), entry.name),
        "leave it out");
  }
  reduction.centres.validate();
  if (!recipe.reduced()) {
    if (asked) throw ConfigError("centers", "`centers_from`, `reduce` and `penalty` go with `centers`", "say how many");
    return;
  }
  if (!recipe.kernel->of_rows) {
    throw ConfigError(
        "centers",
        fmt::format("{} computes kernel values at its centres, and a precomputed kernel has none", entry.name),
        "use another kernel, or onelsm without `centers`");
  }
  if (!recipe.label_kernel.linear() && entry.fitted_decoder) {
    throw ConfigError("label_kernel", worded("{} takes no `label_kernel`", entry.name),
                      "use a labelbook, or onelsm with `centers`");
  }
  if (recipe.scale_per_fold) {
    throw ConfigError("scale_per_fold", "`scale_per_fold` needs a refit for every fold",
                      "leave it out: a machine with centres shares its sums instead");
  }
  if (reduction.kind == ReduceKind::pca && reduction.penalty == PenaltyKind::rkhs) {
    throw ConfigError("penalty", "`reduce=pca` penalises the components themselves", "leave `penalty=rkhs` out");
  }
  if (recipe.solver.kind != SolverKind::automatic || recipe.solver.accuracy) {
    throw ConfigError("solver", "`solver` and `accuracy` are for the whole kernel matrix",
                      "leave them out with `centers`");
  }
}

}  // namespace

bool Recipe::reduced() const { return entry().on_kernel == nullptr || !reduction.centres.empty(); }

const MachineEntry& Recipe::entry() const {
  return machine == kAutomaticMachine ? usual_machine() : machine_from_name(machine);
}

std::vector<double> LogRange::values() const {
  std::vector<double> out;
  // Half a step of slack, so that rounding never loses the last value.
  for (int k = 0; low + k * step <= high + 1e-9 * step; ++k) out.push_back(std::exp2(low + k * step));
  return out;
}

void Recipe::validate() const {
  const MachineEntry& of_machine = entry();
  check_ranges(*this);
  if (ridge && !(*ridge >= kLeastRidge && *ridge <= 1 / kLeastRidge)) {
    throw ConfigError::must_be("ridge",
                               fmt::format("a number from {} to {} (it is 1/cost)", format_double(kLeastRidge),
                                           format_double(1 / kLeastRidge)),
                               format_double(*ridge), "leave it out to have it tuned");
  }
  const std::string_view kernel_name = kernel->name;
  if (sigma && !has_sigma()) {
    throw ConfigError("sigma", fmt::format("the {} kernel has no sigma", kernel_name),
                      worded("leave `sigma` out, or use a kernel that has: {}",
                             kernels_with([](const KernelEntry& e) { return e.sigma; })));
  }
  if ((degree && !kernel->degree) || (offset && !kernel->offset)) {
    throw ConfigError(degree ? "degree" : "offset", fmt::format("the {} kernel has no degree or offset", kernel_name),
                      "they go with `kernel=polynomial`");
  }
  if (!kernel->of_rows && scaling && *scaling != ScalingKind::none) {
    throw ConfigError("scale", "a precomputed kernel cannot be scaled", "leave `scale` out or use `scale=none`");
  }
  require_bias_fits(of_machine, bias);
  if (solver.kind != SolverKind::automatic && !of_machine.chooses_solver) {
    throw ConfigError(
        "solver",
        worded("`solver` goes with {}, {} has its own ways", machines_with(&MachineEntry::chooses_solver), machine),
        "leave it out");
  }
  if (solver.accuracy && !of_machine.chooses_solver && !of_machine.program) {
    throw ConfigError("accuracy", worded("`accuracy` goes with machines that iterate, {} is solved exactly", machine),
                      "leave it out");
  }
  if (solver.learning != LabelLearning::published && !of_machine.learns_labels) {
    throw ConfigError("mkl",
                      worded("`mkl` goes with {}, {} learns no kernel on labels",
                             machines_with(&MachineEntry::learns_labels), machine),
                      "leave it out");
  }
  check_reduction(*this, of_machine);
  kernel_at(1).validate();
  if (repeats > 1 && (folds.leave_one_out() || !folds.given.empty())) {
    throw ConfigError("repeats", "repeats need random folds",
                      "leave `repeats` out: with loo or given folds every repeat would be the same");
  }
  if (!folds.given.empty() && !folds.groups.empty()) {
    throw ConfigError("groups", "given folds say themselves which rows stay together", "leave `groups` out");
  }
  if (folds.given.empty() && folds.count != 0 && folds.count < 2) {
    throw ConfigError::must_be("folds", "2 or more, loo or a file", std::to_string(folds.count), "10 are usual");
  }
  if (pass_folds < 2) throw ConfigError::must_be("pass_folds", "2 or more", std::to_string(pass_folds), "3 are usual");
  if (scale_per_fold && (!kernel->of_rows || scaling == ScalingKind::none)) {
    throw ConfigError("scale_per_fold", "`scale_per_fold` needs rows that are scaled",
                      "leave it out with a precomputed kernel or `scale=none`");
  }
  check_range(sigma_range, "sigma");
  if (ridge_range) check_range(*ridge_range, "ridge");
}

Kernel Recipe::kernel_at(double tuned_sigma) const {
  Kernel out;
  out.entry = kernel;
  out.sigma = has_sigma() ? sigma.value_or(tuned_sigma) : 1;
  out.degree = degree.value_or(out.degree);
  out.offset = offset.value_or(out.offset);
  return out;
}

std::string_view name_of(SearchKind kind) {
  switch (kind) {
    case SearchKind::grid: return "grid";
    case SearchKind::halving: return "halving";
    case SearchKind::design: return "design";
    case SearchKind::greedy: return "greedy";
    case SearchKind::automatic: break;
  }
  return "auto";
}

SearchKind search_from_name(std::string_view name) {
  for (const auto kind : kSearches) {
    if (name_of(kind) == name) return kind;
  }
  throw ConfigError("search", fmt::format("search '{}' is not known", name),
                    "searches are auto, grid, halving, design and greedy");
}

bool is_search_name(std::string_view name) {
  return std::any_of(kSearches.begin(), kSearches.end(), [&](SearchKind kind) { return name_of(kind) == name; });
}

bool is_weight_name(std::string_view name) {
  return std::any_of(kWeights.begin(), kWeights.end(), [&](WeightKind kind) { return name_of(kind) == name; });
}

std::string_view name_of(WeightKind kind) {
  switch (kind) {
    case WeightKind::uniform: return "uniform";
    case WeightKind::balanced: return "balanced";
    case WeightKind::given: break;
  }
  return "given";
}

std::string_view Recipe::book() const { return labelbook.empty() ? entry().usual_book : std::string_view(labelbook); }

BookRequest book_request(const Recipe& recipe, std::span<const int> labels, Index classes) {
  BookRequest request{static_cast<int>(classes),
                      std::vector<Index>(static_cast<std::size_t>(classes), 0),
                      recipe.seed,
                      recipe.code_length,
                      {},
                      recipe.codewords};
  for (const int label : labels) ++request.counts[static_cast<std::size_t>(label)];
  return request;
}

LabelSpace label_space(const Recipe& recipe, std::span<const int> labels, Index classes) {
  const MachineEntry& entry = recipe.entry();
  const std::string name(recipe.book());
  if (entry.books == BookUse::own && name != entry.usual_book) {
    throw ConfigError(
        "labelbook",
        fmt::format("the labels of {} are fixed ({}), it takes no other labelbook", entry.name, entry.usual_book),
        "leave `labelbook` out");
  }
  LabelSpace out;
  out.book = make_labelbook(name, book_request(recipe, labels, classes));
  out.gamma = out.book.gram();
  if (recipe.label_kernel.linear()) return out;
  out.own_kernel = true;
  out.gamma = label_gram(recipe.label_kernel, out.book);
  return out;
}

std::unique_ptr<Machine> machine_of(const Recipe& recipe, std::span<const int> labels, Index classes) {
  return make_machine(recipe.entry(), {label_space(recipe, labels, classes), recipe.bias, recipe.solver});
}

Words memory_advice(const Recipe& recipe) {
  Words out = "use ";
  if (recipe.entry().on_columns != nullptr && recipe.kernel->of_rows) out += "`centers`, ";
  if (recipe.search != SearchKind::automatic) out += "`search=auto`, ";
  return out += "fewer rows, or raise the limit with `memory`";
}

Decoder decoder_of(const Recipe& recipe, const Machine& machine) {
  return make_decoder(recipe.entry(), machine.output_code(), recipe.decode);
}

Vector row_weights(const Recipe& recipe, std::span<const int> labels, Index classes) {
  const auto n = static_cast<Index>(labels.size());
  if (recipe.weights == WeightKind::uniform) return {};
  Vector weights(n);
  if (recipe.weights == WeightKind::balanced) {
    Vector count = Vector::Zero(classes);
    for (const int label : labels) count[label] += 1;
    for (Index i = 0; i < n; ++i) {
      weights[i] = static_cast<double>(n) / (static_cast<double>(classes) * count[labels[static_cast<std::size_t>(i)]]);
    }
    return weights;
  }
  if (static_cast<Index>(recipe.row_weights.size()) != n) {
    throw InputError(Place{},
                     fmt::format("expected one weight for each of the {} rows, found {}", n, recipe.row_weights.size()),
                     {}, "weights");
  }
  for (Index i = 0; i < n; ++i) {
    weights[i] = recipe.row_weights[static_cast<std::size_t>(i)];
    if (!(weights[i] > 0 && std::isfinite(weights[i]))) {
      throw InputError(Place{},
                       worded("row weights must be above 0, `row#{}` has {}", i + 1, format_double(weights[i])),
                       "leave rows of weight 0 out", "weights");
    }
  }
  return weights;
}

}  // namespace manyone
