// SPDX-License-Identifier: Apache-2.0
#include "cli/recipe_options.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/data/number_table.hpp"
#include "manyone/labelbook/codes.hpp"

namespace manyone::cli {

namespace {

std::optional<double> number_or_auto(const std::string& text, std::string_view option) {
  if (text == "auto") return std::nullopt;
  const auto value = parse_double(text);
  if (!value) throw ConfigError(fmt::format("{} must be a number above 0 or auto, found '{}'", option, text));
  return value;
}

/// "sigma=-4:4,ridge=-4:4:0.5"
void parse_grid(const std::string& text, Recipe& recipe) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const auto equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    if (name != "sigma" && name != "ridge" && name != "cost") {
      throw ConfigError(fmt::format(
          "--grid has axes sigma and ridge (or cost), found '{}'; write for example sigma=-4:4,ridge=-8:2", name));
    }
    if (name == "sigma" && !recipe.has_sigma()) {
      throw ConfigError(
          fmt::format("the {} kernel has no sigma to search; leave it out of --grid", recipe.kernel->name));
    }
    if (name == "sigma" ? recipe.sigma.has_value() : recipe.ridge.has_value()) {
      throw ConfigError(fmt::format("{} is given, so it cannot be in --grid; leave one of them out", name));
    }
    std::vector<double> numbers;
    std::string_view values = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    while (true) {
      const auto colon = values.find(':');
      const auto value = parse_double(values.substr(0, colon));
      if (!value)
        throw ConfigError(
            fmt::format("--grid {}: expected low:high or low:high:step in powers of two, found '{}'", name, part));
      numbers.push_back(*value);
      if (colon == std::string_view::npos) break;
      values = values.substr(colon + 1);
    }
    if (numbers.size() == 1) numbers.push_back(numbers[0]);
    if (numbers.size() > 3) throw ConfigError(fmt::format("--grid {}: expected low:high or low:high:step", name));
    const double step = numbers.size() == 3 ? numbers[2] : 1;
    if (name == "cost") std::tie(numbers[0], numbers[1]) = std::pair(-numbers[1], -numbers[0]);  // ridge = 1/cost
    const LogRange range{numbers[0], numbers[1], step};
    if (name == "sigma") {
      recipe.sigma_range = range;
    } else {
      recipe.ridge_range = range;
    }
  }
}

/// Side files have a line per row of the table; rows that were dropped for missing values are dropped here too.
template <class T>
std::vector<T> of_kept_rows(std::vector<T> values, const Dataset* whole, const std::string& path) {
  if (whole == nullptr) {
    throw ConfigError(
        fmt::format("{} has a line for each row, which a table that is streamed does not take; leave it "
                    "out, or leave --stream out",
                    path));
  }
  const Dataset& data = *whole;
  const auto file_rows = static_cast<std::size_t>(data.rows() + data.dropped);
  if (values.size() != file_rows) {
    throw InputError(Place{path}, fmt::format("expected {} lines, one per row of {}, found {}", file_rows, data.source,
                                              values.size()));
  }
  if (data.dropped == 0) return values;
  std::vector<T> kept;
  for (const Index row : data.kept) kept.push_back(std::move(values[static_cast<std::size_t>(row)]));
  return kept;
}

FoldPlan fold_plan(const RecipeOptions& options, const RowSource& table, const Dataset* whole,
                   const MemoryBudget& memory) {
  FoldPlan plan;
  plan.stratified = options.stratify;
  if (options.folds.empty()) {
    plan.count = static_cast<int>(std::min<Index>(plan.count, table.rows()));
  } else if (options.folds == "loo") {
    plan.count = 0;
  } else if (const auto count = parse_integer(options.folds)) {
    if (*count < 2) throw ConfigError(fmt::format("--folds must be 2 or more, or loo, found {}", *count));
    plan.count = static_cast<int>(std::clamp<std::int64_t>(*count, 1, 1'000'000'000));
  } else if (options.folds.rfind(kFoldColumn, 0) == 0) {
    plan.given = folds_from_text(table.folds(), table.name());
  } else if (std::filesystem::exists(options.folds)) {
    plan.given = folds_from_text(of_kept_rows(read_lines(options.folds, memory), whole, options.folds), options.folds);
  } else {
    throw ConfigError(fmt::format("--folds must be a number, loo, column:NAME or a file, found '{}'", options.folds));
  }
  if (!options.groups.empty()) {
    plan.groups = folds_from_text(table.folds(), table.name());
    const int groups = 1 + *std::max_element(plan.groups.begin(), plan.groups.end());
    if (plan.leave_one_out()) {
      std::swap(plan.given, plan.groups);
    } else if (!plan.given.empty()) {
      throw ConfigError("a file of folds says itself which rows stay together; leave --groups out");
    } else if (options.folds.empty()) {
      plan.count = std::min(plan.count, groups);
    } else if (plan.count > groups) {
      throw ConfigError(fmt::format("--folds {} needs as many groups, column {} has {}; use fewer folds or loo",
                                    plan.count, options.groups, groups));
    }
  }
  if (plan.stratified && (plan.count == 0 || !plan.given.empty())) {
    throw ConfigError("--stratify needs random folds; leave it out with loo or given folds");
  }
  if (plan.given.empty() && plan.count > table.rows()) {
    throw ConfigError(fmt::format("--folds {} needs as many rows, {} has {}; use fewer folds or loo", plan.count,
                                  table.name(), table.rows()));
  }
  return plan;
}

/// The numbers of a file that stands in the place of one of `names`; empty where it is none.
Matrix numbers_for(const std::string& name, const std::vector<std::string_view>& names, const Execution& execution) {
  const bool known = name.empty() || name.starts_with("gaussian:") || std::ranges::find(names, name) != names.end();
  if (known || !std::filesystem::exists(name)) return {};
  return read_number_table(name, execution.memory);
}

std::vector<std::string_view> names_of_books() {
  std::vector<std::string_view> out;
  for (const auto list : {labelbooks(), codes()}) {
    for (const LabelbookInfo& book : list) out.push_back(book.name);
  }
  return out;
}

}  // namespace

std::string RecipeOptions::fold_column() const {
  if (!folds.starts_with(kFoldColumn)) return groups;
  if (!groups.empty()) throw ConfigError("--folds column:NAME makes a fold of every group; leave --groups out");
  return folds.substr(kFoldColumn.size());
}

void RecipeOptions::refuse_what_searches_have(Observer& observer) const {
  const char* found = !resume.empty() ? "--resume" : repeats != 1 ? "--repeats" : stratify ? "--stratify" : nullptr;
  if (found != nullptr) {
    throw ConfigError(fmt::format(
        "all parameters are given, so there is nothing to search; leave {} out, or add --nested for an estimate",
        found));
  }
  if (folds == "loo" || parse_integer(folds))
    observer.note("all parameters are given, so nothing is searched and --folds not used; --nested gives an estimate");
}

void RecipeOptions::declare(CLI::App& command) {
  const std::string machine_group = "Machine";
  command
      .add_option("--machine", machine, "See: manyone machines; auto is onelsm, and msvr for tables too large for it")
      ->type_name("auto|MACHINE")
      ->group(machine_group);
  command
      .add_option("--labelbook", labelbook,
                  "See: manyone labelbooks; or a CSV file with one codeword per class; default: the machine's own")
      ->type_name("LABELBOOK|FILE")
      ->group(machine_group);
  command
      .add_option("--label-kernel", label_kernel,
                  "Kernel on codewords: linear, gaussian:S, or a CSV file with a Gram matrix of the classes")
      ->type_name("linear|gaussian:S|FILE")
      ->group(machine_group);
  command
      .add_option(
          "--decode", decode,
          "From outputs to classes: argmax, hamming, loss[:square|:hinge|:linear|:exponential], votes[:first], dag, "
          "or (msvr) flda, ssvm[:COST]; default: what suits the machine")
      ->type_name("argmax|hamming|loss|votes|dag|flda|ssvm")
      ->group(machine_group);
  command.add_option("--length", length, "Columns of an optimal, random, dense or sparse code")->group(machine_group);
  command.add_option("--kernel", kernel, kernels_with([](const KernelEntry&) { return true; }))
      ->type_name("KERNEL")
      ->group(machine_group);
  command.add_option("--sigma", sigma, "Width of the kernel, or auto")->type_name("auto|NUMBER")->group(machine_group);
  command.add_option("--degree", degree, "Degree of the polynomial kernel; default 3")->group(machine_group);
  command.add_option("--offset", offset, "Offset of the polynomial kernel; default 1")->group(machine_group);
  auto* ridge_option = command.add_option("--ridge", ridge, "Regularisation, larger = smoother, or auto")
                           ->type_name("auto|NUMBER")
                           ->group(machine_group);
  auto* cost_option = command.add_option("--cost", cost, "1/ridge: larger = fits more, or auto")
                          ->type_name("auto|NUMBER")
                          ->excludes(ridge_option)
                          ->group(machine_group);
  command.add_option("--lambda", lambda, "Regularisation per row: ridge = lambda x rows")
      ->excludes(ridge_option)
      ->excludes(cost_option)
      ->group(machine_group);
  command.add_flag("--bias", bias, "Add a bias term")->group(machine_group);
  command
      .add_option("--solver", solver,
                  "How onelsm solves its system: direct (a factorisation), cg (conjugate gradients) or auto (cg above "
                  "10000 rows)")
      ->check(CLI::IsMember({"auto", "direct", "cg"}))
      ->group(machine_group);
  command
      .add_option("--accuracy", accuracy,
                  "Where iterations stop: relative residual of conjugate gradients (default 1e-6), largest violation "
                  "of a quadratic program (default 1e-3)")
      ->group(machine_group);
  command
      .add_option("--mkl", learning,
                  "How sbc-kernel learns its kernel on labels: published (the paper's algorithm) or simplex (the "
                  "paper's problem, solved)")
      ->check(CLI::IsMember({"published", "simplex"}))
      ->group(machine_group);
  command
      .add_option(
          "--centers", centres,
          "Kernel values at so many centres instead of at all rows: a number, a share such as 5%, or a CSV file "
          "with a centre a line (msvr and the least-squares machines)")
      ->type_name("INTEGER|SHARE|FILE")
      ->group(machine_group);
  command
      .add_option(
          "--centers-from", centres_from,
          "In cross-validation: training (default: a row that is held out is no centre) or all (it stays one, as "
          "in Chen et al. 2009; too good for new rows)")
      ->check(CLI::IsMember({"training", "all"}))
      ->group(machine_group);
  command.add_option("--time", time, "Seconds that training may take, about: chooses the number of centres")
      ->group(machine_group);
  command
      .add_option("--reduce", reduce,
                  "How centres are chosen: stratified (default), random, kmeans, leverage; or pca (components)")
      ->type_name("stratified|random|kmeans|leverage|pca")
      ->group(machine_group);
  command
      .add_option("--penalty", penalty,
                  "With centres, on what the ridge is: identity (coefficients; default of msvr) or rkhs (the function; "
                  "default of onelsm)")
      ->type_name("identity|rkhs")
      ->group(machine_group);
  command.add_option("--priors", priors, "Class priors of --decode flda: uniform, data, or a CSV file")
      ->type_name("uniform|data|FILE")
      ->group(machine_group);
  command
      .add_option("--weights", weights, "uniform, balanced (classes weigh the same) or a file with a number per row")
      ->type_name("uniform|balanced|FILE")
      ->group(machine_group);
  command
      .add_option("--scale", scale,
                  "range (to -1..1), standard, maxabs or none; default range, maxabs for sparse tables")
      ->type_name("range|standard|maxabs|none")
      ->group(machine_group);
  const std::string search_group = "Search";
  command
      .add_option("--search", search,
                  "auto (a few well-placed cells), grid, halving (the grid on subsets first), design (13 + 8 cells) or "
                  "greedy")
      ->check(CLI::IsMember({"auto", "grid", "halving", "design", "greedy"}))
      ->group(search_group);
  command
      .add_option("--grid", grid, "Ranges of grid, halving and design in powers of two: sigma=-4:4,ridge=-4:4[:step]")
      ->type_name("RANGES")
      ->group(search_group);
  command.add_option("--folds", folds, "Number of folds (default 10), loo, column:NAME, or a file with a fold per row")
      ->type_name("INTEGER|loo|column:NAME|FILE")
      ->group(search_group);
  command
      .add_option(
          "--groups", groups,
          "Column (name or number) of the groups that rows belong to, such as patients: no group is in two folds")
      ->type_name("COLUMN")
      ->group(search_group);
  command.add_option("--repeats", repeats, "Partitions to average over")->group(search_group);
  command.add_flag("--stratify", stratify, "Spread every class evenly over the folds")->group(search_group);
  command
      .add_flag("--scale-per-fold", scale_per_fold,
                "Scale every training part by its own rows, as a refit would (slow: no closed form)")
      ->group(search_group);
  writes_file(
      command
          .add_option(
              "--resume", resume,
              "Journal of the search: every cell is written to this file, and what is there is not computed again")
          ->type_name("FILE")
          ->group(search_group));
  command.add_flag("--nested", nested, "Also the honest error: the search repeated inside each fold")
      ->group(search_group);
  command.add_option("--seed", seed, "Seed of all random choices")->check(whole_number())->group(search_group);
}

Plan RecipeOptions::plan(const Execution& execution, const RowSource& table) const {
  return resolve(execution, recipe(execution, table), table, {nested, resume});
}

Recipe RecipeOptions::recipe(const Execution& execution, const RowSource& table) const {
  const Dataset* whole = table.whole();  // which side files need
  Recipe out;
  out.machine = machine;
  out.seconds = time;
  out.reduction.centres = centres;
  out.labelbook = labelbook;
  out.label_kernel = label_kernel;
  if (!decode.empty()) {
    const DecoderChoice choice = decoder_choice(decode);
    out.decode = choice.entry;
    out.decode_cost = choice.cost;
  }
  out.code_length = length;
  out.kernel = &kernel_from_name(kernel);
  out.sigma = number_or_auto(sigma, "--sigma");
  out.degree = degree;
  out.offset = offset;
  out.ridge = number_or_auto(ridge, "--ridge");
  if (const auto given = number_or_auto(cost, "--cost")) {
    if (!(*given > 0)) throw ConfigError(fmt::format("--cost must be a number above 0, found '{}'", cost));
    out.ridge = 1 / *given;
  }
  if (lambda && !(*lambda > 0))
    throw ConfigError(fmt::format("--lambda must be a number above 0, found {}", format_double(*lambda)));
  if (lambda) out.ridge = *lambda * static_cast<double>(table.rows());
  out.bias = bias;
  out.solver.kind = solver == "direct" ? SolverKind::direct
                    : solver == "cg"   ? SolverKind::iterative
                                       : SolverKind::automatic;
  if (accuracy && solver == "direct") throw ConfigError("--accuracy goes with --solver cg; a factorisation is exact");
  if (accuracy) out.solver.accuracy = *accuracy;
  if (accuracy && out.entry().chooses_solver && !out.solver.iterative(table.rows())) {
    throw ConfigError(
        fmt::format("--accuracy goes with conjugate gradients, and {} rows are solved exactly; leave it out, or add "
                    "--solver cg",
                    table.rows()));
  }
  if (learning == "simplex") out.solver.learning = LabelLearning::simplex;
  if (!reduce.empty()) out.reduction.kind = reduce_from_name(reduce);
  out.reduction.centres_from_all = centres_from == "all";
  if (!penalty.empty()) out.reduction.penalty = penalty_from_name(penalty);
  out.priors = priors;
  out.codewords = numbers_for(out.labelbook, names_of_books(), execution);
  out.label_gram = numbers_for(out.label_kernel, {"linear"}, execution);
  out.class_priors = numbers_for(out.priors, {"uniform", "data"}, execution).reshaped();
  if (!scale.empty()) out.scaling = scaling_from_name(scale);
  if (weights == "balanced") {
    out.weights = WeightKind::balanced;
  } else if (weights != "uniform") {
    if (!std::filesystem::exists(weights)) {
      throw ConfigError(fmt::format("--weights must be uniform, balanced or a file, found '{}'", weights));
    }
    const Matrix numbers = read_number_table(weights, execution.memory);
    if (numbers.cols() != 1)
      throw InputError(Place{weights, 1, 2}, fmt::format("expected one weight a line, found {}", numbers.cols()));
    out.weights = WeightKind::given;
    out.row_weights =
        of_kept_rows(std::vector<double>(numbers.data(), numbers.data() + numbers.size()), whole, weights);
  }
  out.folds = fold_plan(*this, table, whole, execution.memory);
  if (parse_integer(folds)) out.pass_folds = out.folds.count;
  out.repeats = repeats;
  out.seed = static_cast<std::uint64_t>(seed);
  out.scale_per_fold = scale_per_fold;
  out.search = search == "auto" && !grid.empty() ? SearchKind::grid : search_from_name(search);
  if (out.search == SearchKind::greedy && !grid.empty()) {
    throw ConfigError("--search greedy has no ranges; leave --grid out, or use grid, halving or design");
  }
  if (!grid.empty()) parse_grid(grid, out);
  if (!out.tuned() && (search != "auto" || !grid.empty())) {
    throw ConfigError("all parameters are given, so there is nothing to search; leave --search and --grid out");
  }
  return out;
}

}  // namespace manyone::cli
