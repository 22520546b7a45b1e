// SPDX-License-Identifier: Apache-2.0
//
// The entries of the table, and how each is read from and written to a recipe.
#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "manyone/errors.hpp"
#include "model/parameters.hpp"

namespace manyone {

namespace {

constexpr std::string_view kMachine = "Machine";
constexpr std::string_view kSearch = "Search";
constexpr NumberRange kPositive = {.above = 0};

/// `get` of what is not set.
template <class Number>
ParameterValue open_or(const std::optional<Number>& value) {
  if (!value) return {};
  if constexpr (std::is_floating_point_v<Number>) return static_cast<double>(*value);
  return static_cast<std::int64_t>(*value);
}

template <class T>
std::optional<T> given(const ParameterValue& value) {
  const T* held = std::get_if<T>(&value);
  return held == nullptr ? std::nullopt : std::optional(*held);
}

std::optional<int> whole(const ParameterValue& value) {
  const auto count = given<std::int64_t>(value);
  return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

/// A word, or numbers that have a name; `standard` where nothing is said.
std::string word(const ParameterValue& value, std::string_view standard = "") {
  if (const auto* numbers = std::get_if<NamedNumbers>(&value)) return numbers->name;
  return given<std::string>(value).value_or(std::string(standard));
}

Matrix numbers(const ParameterValue& value) {
  const auto* held = std::get_if<NamedNumbers>(&value);
  return held == nullptr ? Matrix() : held->numbers;
}

ParameterValue named(const std::string& name, Matrix numbers) {
  if (numbers.size() == 0) return name;
  return NamedNumbers{name, std::move(numbers)};
}

/// What is said in a word or in numbers.
template <class Choice>
void set_choice(Choice& choice, const ParameterValue& value) {
  if (const auto* of_user = std::get_if<NamedNumbers>(&value)) {
    if constexpr (std::is_same_v<Choice, ClassPriors>) {
      choice = Choice(of_user->name, of_user->numbers.reshaped());
    } else {
      choice = Choice(of_user->name, of_user->numbers);
    }
  } else if (const auto* said = std::get_if<std::string>(&value)) {
    choice = Choice(*said);
  } else {
    choice = Choice();
  }
}

/// The ridge in other words, `meaning`.
void set_ridge(Recipe& recipe, const Words& meaning, double ridge) {
  if (recipe.ridge) throw ConfigError("ridge", meaning, "give one of them");
  recipe.ridge = ridge;
}

void set_decoder(Recipe& recipe, const ParameterValue& value) {
  const DecoderChoice choice =
      std::holds_alternative<std::monostate>(value) ? DecoderChoice{} : decoder_choice(word(value));
  recipe.decode = choice.entry;
  recipe.decode_cost = choice.cost;
}

void set_weights(Recipe& recipe, const ParameterValue& value) {
  const Matrix given = numbers(value);
  recipe.row_weights.assign(given.data(), given.data() + given.size());
  recipe.weights = given.size() > 0            ? WeightKind::given
                   : word(value) == "balanced" ? WeightKind::balanced
                                               : WeightKind::uniform;
}

ParameterValue weights_of(const Recipe& recipe) {
  if (recipe.weights != WeightKind::given) return std::string(name_of(recipe.weights));
  const auto& given = recipe.row_weights;
  return NamedNumbers{"", Eigen::Map<const Vector>(given.data(), static_cast<Index>(given.size()))};
}

void set_grid(Recipe& recipe, const ParameterValue& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    recipe.sigma_range = {};
    recipe.ridge_range.reset();
    return;
  }
  if (recipe.search == SearchKind::greedy) {
    throw ConfigError("grid", "`search=greedy` has no ranges", "leave `grid` out, or use grid, halving or design");
  }
  if (recipe.search == SearchKind::automatic) recipe.search = SearchKind::grid;
  for (const auto& [name, range] : std::get<std::vector<GridAxis>>(value)) {
    if (name != "sigma" && name != "ridge" && name != "cost") {
      throw ConfigError("grid", worded("`grid` has axes sigma and ridge (or cost), found '{}'", name),
                        "write for example `grid=sigma=-4:4,ridge=-8:2`");
    }
    if (name == "sigma" && !recipe.has_sigma()) {
      throw ConfigError("grid", fmt::format("the {} kernel has no sigma to search", recipe.kernel->name),
                        "leave it out of `grid`");
    }
    if (name == "sigma" ? recipe.sigma.has_value() : recipe.ridge.has_value()) {
      throw ConfigError("grid", worded("{} is given, so it cannot be in `grid`", name), "leave one of them out");
    }
    if (name == "sigma") {
      recipe.sigma_range = range;
    } else {
      recipe.ridge_range = name == "cost" ? LogRange{-range.high, -range.low, range.step} : range;
    }
  }
}

ParameterValue grid_of(const Recipe& recipe) {
  std::vector<GridAxis> out;
  if (recipe.sigma_range != LogRange{}) out.push_back({"sigma", recipe.sigma_range});
  if (recipe.ridge_range) out.push_back({"ridge", *recipe.ridge_range});
  if (out.empty()) return {};
  return out;
}

void set_folds(Recipe& recipe, const ParameterValue& value, Index rows) {
  FoldPlan& plan = recipe.folds;
  plan.given.clear();
  if (const auto* of_rows = std::get_if<std::vector<int>>(&value)) {
    if (std::ssize(*of_rows) != rows) {
      throw ConfigError("folds",
                        worded("`folds` must have an entry for each of the {} rows, found {}", rows, of_rows->size()),
                        "give the fold of every row");
    }
    plan.given = *of_rows;
  } else if (const auto count = given<std::int64_t>(value)) {
    if (*count < 2) throw ConfigError::must_be("folds", "2 or more, or loo", std::to_string(*count), "10 are usual");
    if (*count > rows) {
      throw ConfigError("folds", worded("`folds={}` needs as many rows, found {}", *count, rows),
                        "use fewer folds or loo");
    }
    plan.count = recipe.pass_folds = static_cast<int>(*count);
  } else {
    const bool each = std::holds_alternative<std::string>(value);  // loo
    plan.count = each ? 0 : static_cast<int>(std::min<Index>(FoldPlan{}.count, rows));
    recipe.pass_folds = Recipe{}.pass_folds;
  }
}

ParameterValue folds_of(const Recipe& recipe) {
  if (!recipe.folds.given.empty()) return recipe.folds.given;
  if (recipe.folds.leave_one_out()) return std::string("loo");
  return std::int64_t{recipe.folds.count};
}

void set_groups(Recipe& recipe, const ParameterValue& value) {
  recipe.folds.groups = given<std::vector<int>>(value).value_or(std::vector<int>());
}

constexpr std::string_view name_of(SolverKind kind) {
  return kind == SolverKind::direct ? "direct" : kind == SolverKind::iterative ? "cg" : "auto";
}
constexpr std::string_view name_of(LabelLearning learning) {
  return learning == LabelLearning::simplex ? "simplex" : "published";
}

bool on_columns(const MachineEntry& entry) { return entry.on_columns != nullptr; }
bool takes_books(const MachineEntry& entry) { return entry.books != BookUse::own; }

using Value = const ParameterValue&;

std::vector<Parameter> make_parameters() {
  return {
      {.name = "machine",
       .group = kMachine,
       .takes = "auto|MACHINE",
       .standard = kAutomaticMachine,
       .text = "See: manyone machines; auto is onelsm, and msvr for tables too large for it",
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue { return r.machine; },
       .set = [](Recipe& r, Value v, Index) { r.machine = word(v, kAutomaticMachine); }},
      {.name = "labelbook",
       .group = kMachine,
       .takes = "LABELBOOK|FILE",
       .dimensions = 2,
       .text = "See: manyone labelbooks; or a CSV file with one codeword per class; default: the machine's own",
       .of_machine = takes_books,
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (r.labelbook.empty()) return {};
         return named(r.labelbook, r.codewords);
       },
       .set = [](Recipe& r, Value v, Index) { r.labelbook = word(v), r.codewords = numbers(v); }},
      {.name = "label_kernel",
       .group = kMachine,
       .takes = "linear|gaussian:S|FILE",
       .standard = "linear",
       .dimensions = 2,
       .text = "Kernel on codewords: linear, gaussian:S, or a CSV file with a Gram matrix of the classes",
       .of_machine = [](const MachineEntry& m) { return m.label_kernel; },
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) { return named(r.label_kernel.said, r.label_kernel.gram); },
       .set = [](Recipe& r, Value v, Index) { set_choice(r.label_kernel, v); }},
      {.name = "decode",
       .group = kMachine,
       .takes = "argmax|hamming|loss|votes|dag|flda|ssvm",
       .text = "From outputs to classes: argmax, hamming, loss[:square|:hinge|:linear|:exponential], votes[:first], "
               "dag, or (msvr) flda, ssvm[:COST]; default: what suits the machine",
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (r.decode == nullptr) return {};
         return r.decode_cost ? fmt::format("{}:{}", r.decode->name, format_double(*r.decode_cost))
                              : std::string(r.decode->name);
       },
       .set = [](Recipe& r, Value v, Index) { set_decoder(r, v); }},
      {.name = "length",
       .group = kMachine,
       .type = ParameterType::count,
       .text = "Columns of an optimal, random, dense or sparse code",
       .of_machine = takes_books,
       .scores = true,
       .get = [](const Recipe& r) { return open_or(r.code_length); },
       .set = [](Recipe& r, Value v, Index) { r.code_length = given<std::int64_t>(v); }},
      {.name = "kernel",
       .group = kMachine,
       .takes = "KERNEL",
       .standard = kGaussian.name,
       .text = kernels_with([](const KernelEntry&) { return true; }),
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue { return std::string(r.kernel->name); },
       .set = [](Recipe& r, Value v, Index) { r.kernel = &kernel_from_name(word(v, kGaussian.name)); }},
      {.name = "sigma",
       .group = kMachine,
       .type = ParameterType::number,
       .takes = "auto|NUMBER",
       .standard = "auto",
       .range = kPositive,
       .text = "Width of the kernel, or auto",
       .of_kernel = [](const KernelEntry& k) { return k.sigma; },
       .in_model = true,
       .get = [](const Recipe& r) { return open_or(r.sigma); },
       .set = [](Recipe& r, Value v, Index) { r.sigma = given<double>(v); }},
      {.name = "degree",
       .group = kMachine,
       .type = ParameterType::count,
       .text = "Degree of the polynomial kernel; default 3",
       .of_kernel = [](const KernelEntry& k) { return k.degree; },
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) { return open_or(r.degree); },
       .set = [](Recipe& r, Value v, Index) { r.degree = whole(v); }},
      {.name = "offset",
       .group = kMachine,
       .type = ParameterType::number,
       .text = "Offset of the polynomial kernel; default 1",
       .of_kernel = [](const KernelEntry& k) { return k.offset; },
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) { return open_or(r.offset); },
       .set = [](Recipe& r, Value v, Index) { r.offset = given<double>(v); }},
      {.name = "ridge",
       .group = kMachine,
       .type = ParameterType::number,
       .takes = "auto|NUMBER",
       .standard = "auto",
       .range = kPositive,
       .text = "Regularisation, larger = smoother, or auto",
       .in_model = true,
       .get = [](const Recipe& r) { return open_or(r.ridge); },
       .set = [](Recipe& r, Value v, Index) { r.ridge = given<double>(v); }},
      {.name = "cost",
       .group = kMachine,
       .type = ParameterType::number,
       .takes = "auto|NUMBER",
       .standard = "auto",
       .range = kPositive,
       .stands_for = "ridge",
       .text = "1/ridge: larger = fits more, or auto",
       .set =
           [](Recipe& r, Value v, Index) {
             if (const auto cost = given<double>(v)) set_ridge(r, "`cost` is 1/`ridge`", 1 / *cost);
           }},
      {.name = "lambda",
       .group = kMachine,
       .type = ParameterType::number,
       .range = kPositive,
       .stands_for = "ridge",
       .text = "Regularisation per row: ridge = lambda x rows",
       .set =
           [](Recipe& r, Value v, Index rows) {
             if (const auto per_row = given<double>(v)) {
               set_ridge(r, "`lambda` is the `ridge` of a row", *per_row * static_cast<double>(rows));
             }
           }},
      {.name = "bias",
       .group = kMachine,
       .type = ParameterType::flag,
       .text = "Add a bias term",
       .of_machine = [](const MachineEntry& m) { return m.takes_bias(); },
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue { return r.bias; },
       .set = [](Recipe& r, Value v, Index) { r.bias = given<bool>(v).value_or(false); }},
      {.name = "solver",
       .group = kMachine,
       .takes = "auto|direct|cg",
       .closed = true,
       .standard = "auto",
       .text =
           "How onelsm solves its system: direct (a factorisation), cg (conjugate gradients) or auto (cg above 10000 "
           "rows)",
       .of_machine = [](const MachineEntry& m) { return m.chooses_solver; },
       .get = [](const Recipe& r) -> ParameterValue { return std::string(name_of(r.solver.kind)); },
       .set =
           [](Recipe& r, Value v, Index) {
             const std::string name = word(v, "auto");
             r.solver.kind = name == "direct" ? SolverKind::direct
                             : name == "cg"   ? SolverKind::iterative
                                              : SolverKind::automatic;
           }},
      {.name = "accuracy",
       .group = kMachine,
       .type = ParameterType::number,
       .range = {.least = 1e-12, .below = 1},
       .text = "Where iterations stop: relative residual of conjugate gradients (default 1e-6), largest violation of a "
               "quadratic program (default 1e-3)",
       .of_machine = [](const MachineEntry& m) { return m.chooses_solver || m.program; },
       .scores = true,
       .get = [](const Recipe& r) { return open_or(r.solver.accuracy); },
       .set = [](Recipe& r, Value v, Index) { r.solver.accuracy = given<double>(v); }},
      {.name = "mkl",
       .group = kMachine,
       .takes = "published|simplex",
       .closed = true,
       .standard = "published",
       .text = "How sbc-kernel learns its kernel on labels: published (the paper's algorithm) or simplex (the paper's "
               "problem, solved)",
       .of_machine = [](const MachineEntry& m) { return m.learns_labels; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue { return std::string(name_of(r.solver.learning)); },
       .set =
           [](Recipe& r, Value v, Index) {
             r.solver.learning = word(v) == "simplex" ? LabelLearning::simplex : LabelLearning::published;
           }},
      {.name = "centers",
       .group = kMachine,
       .takes = "INTEGER|SHARE|FILE",
       .dimensions = 2,
       .text = "Kernel values at so many centres instead of at all rows: a number, a share such as 5%, or a CSV file "
               "with a centre a line (msvr and the least-squares machines)",
       .of_machine = on_columns,
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (r.reduction.centres.empty()) return {};
         return named(r.reduction.centres.said, r.reduction.centres.rows);
       },
       .set = [](Recipe& r, Value v, Index) { set_choice(r.reduction.centres, v); }},
      {.name = "centers_from",
       .group = kMachine,
       .takes = "training|all",
       .closed = true,
       .standard = "training",
       .text =
           "In cross-validation: training (default: a row that is held out is no centre) or all (it stays one, as in "
           "Chen et al. 2009; too good for new rows)",
       .of_machine = on_columns,
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         return std::string(r.reduction.centres_from_all ? "all" : "training");
       },
       .set = [](Recipe& r, Value v, Index) { r.reduction.centres_from_all = word(v) == "all"; }},
      {.name = "time",
       .group = kMachine,
       .type = ParameterType::number,
       .range = kPositive,
       .text = "Seconds that training may take, about: chooses the number of centres",
       .of_machine = [](const MachineEntry& m) { return m.on_kernel == nullptr; },
       .get = [](const Recipe& r) { return open_or(r.seconds); },
       .set = [](Recipe& r, Value v, Index) { r.seconds = given<double>(v); }},
      {.name = "reduce",
       .group = kMachine,
       .takes = "stratified|random|kmeans|leverage|pca",
       .text = "How centres are chosen: stratified (default), random, kmeans, leverage; or pca (components)",
       .of_machine = on_columns,
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (!r.reduction.kind) return {};
         return std::string(name_of(*r.reduction.kind));
       },
       .set =
           [](Recipe& r, Value v, Index) {
             r.reduction.kind.reset();
             if (const auto name = given<std::string>(v)) r.reduction.kind = reduce_from_name(*name);
           }},
      {.name = "penalty",
       .group = kMachine,
       .takes = "identity|rkhs",
       .text = "With centres, on what the ridge is: identity (coefficients; default of msvr) or rkhs (the function; "
               "default of onelsm)",
       .of_machine = [](const MachineEntry& m) { return on_columns(m) && !m.own_penalty; },
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (!r.reduction.penalty) return {};
         return std::string(name_of(*r.reduction.penalty));
       },
       .set =
           [](Recipe& r, Value v, Index) {
             r.reduction.penalty.reset();
             if (const auto name = given<std::string>(v)) r.reduction.penalty = penalty_from_name(*name);
           }},
      {.name = "priors",
       .group = kMachine,
       .takes = "uniform|data|FILE",
       .standard = "uniform",
       .dimensions = 1,
       .text = "Class priors of the decoder flda: uniform, data, or a CSV file",
       .of_machine = [](const MachineEntry& m) { return m.fitted_decoder; },
       .scores = true,
       .get = [](const Recipe& r) { return named(r.priors.said, r.priors.numbers); },
       .set = [](Recipe& r, Value v, Index) { set_choice(r.priors, v); }},
      {.name = "weights",
       .group = kMachine,
       .type = ParameterType::weights,
       .takes = "uniform|balanced|FILE",
       .standard = "uniform",
       .dimensions = 1,
       .text = "uniform, balanced (classes weigh the same) or a file with a number per row",
       .scores = true,
       .in_model = true,
       .get = weights_of,
       .set = [](Recipe& r, Value v, Index) { set_weights(r, v); }},
      {.name = "scale",
       .group = kMachine,
       .takes = "range|standard|maxabs|none",
       .text = "range (to -1..1), standard, maxabs or none; default range, maxabs for sparse tables",
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (!r.scaling) return {};
         return std::string(name_of(*r.scaling));
       },
       .set =
           [](Recipe& r, Value v, Index) {
             r.scaling.reset();
             if (const auto name = given<std::string>(v)) r.scaling = scaling_from_name(*name);
           }},
      {.name = "search",
       .group = kSearch,
       .takes = "auto|grid|halving|design|greedy",
       .closed = true,
       .standard = "auto",
       .text = "auto (a few well-placed cells), grid, halving (the grid on subsets first), design (13 + 8 cells) or "
               "greedy",
       .scores = true,
       .in_model = true,
       .get = [](const Recipe& r) -> ParameterValue { return std::string(name_of(r.search)); },
       .set = [](Recipe& r, Value v, Index) { r.search = search_from_name(word(v, "auto")); }},
      {.name = "grid",
       .group = kSearch,
       .type = ParameterType::ranges,
       .takes = "RANGES",
       .text = "Ranges of grid, halving and design in powers of two: sigma=-4:4,ridge=-4:4[:step]",
       .get = grid_of,
       .set = [](Recipe& r, Value v, Index) { set_grid(r, v); }},
      {.name = "folds",
       .group = kSearch,
       .type = ParameterType::folds,
       .takes = "INTEGER|loo|column:NAME|FILE",
       .text = "Number of folds (default 10), loo, column:NAME, or a file with a fold per row",
       .scores = true,
       .get = folds_of,
       .set = set_folds},
      {.name = "groups",
       .group = kSearch,
       .type = ParameterType::groups,
       .takes = "COLUMN",
       .text = "Column (name or number) of the groups that rows belong to, such as patients: no group is in two folds",
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (r.folds.groups.empty()) return {};
         return r.folds.groups;
       },
       .set = [](Recipe& r, Value v, Index) { set_groups(r, v); }},
      {.name = "repeats",
       .group = kSearch,
       .type = ParameterType::count,
       .standard = "1",
       .range = {.least = 1, .most = 10000},
       .text = "Partitions to average over",
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue { return std::int64_t{r.repeats}; },
       .set = [](Recipe& r, Value v, Index) { r.repeats = whole(v).value_or(1); }},
      {.name = "stratify",
       .group = kSearch,
       .type = ParameterType::flag,
       .text = "Spread every class evenly over the folds",
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue { return r.folds.stratified; },
       .set = [](Recipe& r, Value v, Index) { r.folds.stratified = given<bool>(v).value_or(false); }},
      {.name = "scale_per_fold",
       .group = kSearch,
       .type = ParameterType::flag,
       .text = "Scale every training part by its own rows, as a refit would (slow: no closed form)",
       .of_machine = [](const MachineEntry& m) { return m.on_kernel != nullptr; },
       .of_kernel = [](const KernelEntry& k) { return k.of_rows; },
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue { return r.scale_per_fold; },
       .set = [](Recipe& r, Value v, Index) { r.scale_per_fold = given<bool>(v).value_or(false); }},
      {.name = "resume",
       .group = kSearch,
       .takes = "FILE",
       .writes_file = true,
       .text = "Journal of the search: every cell is written to this file, and what is there is not computed again"},
      {.name = "nested",
       .group = kSearch,
       .type = ParameterType::flag,
       .text = "Also the honest error: the search repeated inside each fold"},
      {.name = "seed",
       .group = kSearch,
       .type = ParameterType::count,
       .standard = "1",
       .range = {.least = 0},
       .text = "Seed of all random choices",
       .scores = true,
       .get = [](const Recipe& r) -> ParameterValue {
         if (!std::in_range<std::int64_t>(r.seed)) return {};  // a program's own
         return static_cast<std::int64_t>(r.seed);
       },
       .set = [](Recipe& r, Value v,
                 Index) { r.seed = static_cast<std::uint64_t>(given<std::int64_t>(v).value_or(1)); }},
  };
}

}  // namespace

std::span<const Parameter> parameters() {
  static const std::vector<Parameter> all = make_parameters();
  return all;
}

}  // namespace manyone
