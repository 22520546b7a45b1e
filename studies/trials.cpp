// SPDX-License-Identifier: Apache-2.0
//
// Tables whose errors are counted on rows that were not trained on: a test file, or the folds of a random partition.
// The protocols differ in where parameters come from: the training part of every fold (nested), one-vs-all on the
// training rows for all codes (codes), the training rows for each machine (validation).
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "machine/registry.hpp"
#include "manyone/errors.hpp"
#include "selection/tune.hpp"
#include "studies/table_run.hpp"

namespace manyone {

namespace {

// Of the quadratic programs of protocol nested, whose costs may become large: coarser than usual, and many times
// faster.
constexpr double kNestedAccuracy = 1e-2;

/// How a protocol searches for parameters.
struct SearchPlan {
  SearchKind kind = SearchKind::automatic;
  int folds = 5;
  Index rows = 1000;  ///< at most
};

SearchPlan search_plan(Protocol protocol, bool test_file) {
  if (protocol == Protocol::nested) return {SearchKind::greedy, 5, 300};
  if (protocol == Protocol::validation) return {SearchKind::automatic, 5, 1000};
  return {SearchKind::automatic, 5, test_file ? 2500 : 1000};  // without one, every code is trained ten times
}

// Rows up to which a whole grid is scored by 10-fold cross-validation.
constexpr Index kGridRows = 1000;

/// Whether the error of protocol validation is the smallest over a grid, as Hsu and Lin have it without a test file.
bool takes_minimum(Protocol protocol, const FoundSet& found) {
  return protocol == Protocol::validation && !found.test && found.data.rows() <= kGridRows;
}

Recipe trial_recipe(const PublishedRow& row, Protocol protocol, std::uint64_t seed) {
  Recipe out = recipe_of(row);
  out.scaling = protocol == Protocol::nested ? ScalingKind::standard : ScalingKind::range;
  out.seed = seed;
  if (protocol == Protocol::nested) out.solver.accuracy = kNestedAccuracy;
  return out;
}

Dataset at_most(Index limit, const Dataset& data, std::uint64_t seed) {
  if (limit == 0 || data.rows() <= limit) return data;
  return selected(data, stratified_subset(data.labels, limit, seed));
}

/// Parameters that were found on so many rows.
struct Searched {
  CellParameters at;
  Index rows = 0;
};

Searched searched(const Execution& execution, const Dataset& data, Recipe recipe, const SearchPlan& plan) {
  recipe.search = plan.kind;
  recipe.folds.count = plan.folds;
  const Dataset rows = at_most(plan.rows, data, recipe.seed);
  const Tuning tuning = tune(execution, rows, recipe);
  if (tuning.interrupted) throw Interrupted();
  return {tuning.best, rows.rows()};
}

/// For other rows: what carries over is lambda = ridge/n of least squares, and the bound of the variables of an SVM,
/// which single binary machines have as cost / (copies x rows). El-Yaniv et al. have three readings of C (SPEC section
/// 11); this one comes nearest to their numbers.
CellParameters carried_over(const Searched& found, const Recipe& recipe, const Dataset& data) {
  CellParameters out = found.at;
  if (machine_from_name(recipe.machine).parameter == "ridge") {
    out.ridge *= static_cast<double>(data.rows()) / static_cast<double>(found.rows);
  } else {
    const auto machine = machine_of(recipe, data.labels, data.class_count());
    out.ridge *= machine->ridge_unit(data.rows()) / machine->ridge_unit(found.rows);
  }
  return out;
}

/// Rows to train on, rows to predict, and where these stand among all that are predicted.
struct Part {
  Dataset train;
  Dataset test;
  std::vector<Index> places;
};

class Trials {
 public:
  Trials(const Execution& execution, Protocol protocol, const TrialOptions& options)
      : execution_(execution), protocol_(protocol), options_(options) {}

  /// Fills the cell; `observer` is told of every part.
  void run(const PublishedTable& table, const FoundSet& found, Observer& observer, ReproducedCell& cell) {
    const Timer timer;
    cell.ours = takes_minimum(protocol_, found) ? minimum(table.sets[found.set], found, *cell.row, observer)
                                                : predict_parts(table, found, observer, cell);
    cell.seconds = timer.seconds();
  }

  int repeats(const FoundSet& found) const { return found.test ? 1 : options_.repeats; }
  Index limit(const PublishedSet& set) const { return options_.rows.value_or(set.limit); }

  /// "letter: trained on 3000 of 15000 rows, tested on 5000 others"
  std::string rows_used(const FoundSet& found, const PublishedSet& set) const {
    const Index n = found.data.rows();
    const Index all = found.test ? n : n - (n + kReproducedFolds - 1) / kReproducedFolds;  // the smallest training part
    const Index used = limit(set) > 0 ? std::min(all, limit(set)) : all;
    if (takes_minimum(protocol_, found)) {
      const Index rows = at_most(limit(set), found.data, options_.seed).rows();
      return fmt::format("{}: smallest {}-fold error of {}{} rows", set.name, kReproducedFolds, rows,
                         rows < n ? fmt::format(" of {}", n) : "");
    }
    return fmt::format(
        "{}: trained on {}{} rows, tested on {}", set.name, used, used < all ? fmt::format(" of {}", all) : "",
        found.test ? fmt::format("{} others", found.test->rows()) : fmt::format("{} folds", kReproducedFolds));
  }

  /// What a cell costs, for the time left: a quadratic program grows about as the square of its rows. The factors of
  /// the machines are measured.
  double price(const FoundSet& found, const PublishedSet& set, const PublishedRow& row) const {
    const auto machine = machine_of(recipe_of(row), found.data.labels, found.data.class_count());
    const auto all = static_cast<double>(found.data.rows());
    const double n = limit(set) > 0 ? std::min(all, static_cast<double>(limit(set))) : all;
    const double parts = found.test ? 1 : kReproducedFolds * options_.repeats;
    static const std::map<std::string, double> factors = {{"cs", 20},        {"ww", 10},          {"sbc-ecoc", 8},
                                                          {"sbc-single", 8}, {"sbc-identity", 8}, {"sbc-kernel", 150}};
    const auto factor = factors.find(row.machine);
    return (factor == factors.end() ? 1 : factor->second) * parts * n * n *
           static_cast<double>(machine->output_code().code.cols());
  }

 private:
  /// The smallest error over every other value of the grid of Hsu and Lin. The machines of a single program take
  /// minutes for the large costs and the wide kernels, so they get the middle of it.
  GridMinimum minimum(const PublishedSet& set, const FoundSet& found, const PublishedRow& row,
                      Observer& observer) const {
    const bool single = row.machine == "cs" || row.machine == "ww";
    Recipe recipe = trial_recipe(row, protocol_, options_.seed);
    recipe.search = SearchKind::grid;
    recipe.sigma_range = {-2.5, single ? 1.5 : 4.5, 1};          // 1/(2 sigma^2) = 2^4, 2^2, ..., 2^-10
    recipe.ridge_range = LogRange{single ? -8.0 : -12.0, 2, 2};  // cost = 2^-2, 2^0, ..., 2^12
    recipe.folds.count = kReproducedFolds;
    recipe.repeats = options_.repeats;
    const Dataset rows = at_most(limit(set), found.data, options_.seed);
    const Tuning tuning = tune({execution_.backend, execution_.memory, observer, execution_.interrupt}, rows, recipe);
    if (tuning.interrupted) throw Interrupted();
    return grid_minimum(tuning.surface);
  }

  GridMinimum predict_parts(const PublishedTable& table, const FoundSet& found, Observer& observer,
                            ReproducedCell& cell) {
    const Recipe recipe = trial_recipe(*cell.row, protocol_, options_.seed);
    const std::vector<int>& labels = found.test ? found.test->labels : found.data.labels;
    const int parts = found.test ? 1 : kReproducedFolds;
    GridMinimum out;
    observer.begin("parts", repeats(found) * parts);
    for (int repeat = 0; repeat < repeats(found); ++repeat) {
      std::vector<int> predicted(labels.size());
      for (int p = 0; p < parts; ++p) {
        execution_.interrupt.check();
        const Part part = part_of(table.sets[found.set], found, repeat, p);
        const CellParameters at = parameters(table, found, part, recipe);
        const Model model = train(quiet(), part.train, recipe, at.sigma, at.ridge);
        const auto classes = model.predict(execution_.backend, part.test.features);
        for (std::size_t i = 0; i < classes.size(); ++i)
          predicted[static_cast<std::size_t>(part.places[i])] = classes[i];
        observer.update(repeat * parts + p + 1, "");
      }
      double wrong = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) wrong += predicted[i] != labels[i] ? 1 : 0;
      out.errors.push_back(wrong / static_cast<double>(labels.size()));
      if (repeat == 0) cell.predicted = std::move(predicted);
    }
    return out;
  }

  Part part_of(const PublishedSet& set, const FoundSet& found, int repeat, int p) const {
    Part out;
    if (found.test) {
      out.places.resize(found.test->labels.size());
      std::iota(out.places.begin(), out.places.end(), Index{0});
      out.train = at_most(limit(set), found.data, options_.seed);
      out.test = *found.test;
      return out;
    }
    FoldPlan plan;
    plan.count = kReproducedFolds;
    const Folds folds = make_folds(plan, found.data.labels, options_.seed, repeat);
    std::vector<Index> rest;
    for (Index i = 0; i < found.data.rows(); ++i)
      (folds.fold_of_row[static_cast<std::size_t>(i)] == p ? out.places : rest).push_back(i);
    out.train = at_most(limit(set), selected(found.data, rest), options_.seed);
    out.test = selected(found.data, out.places);
    return out;
  }

  CellParameters parameters(const PublishedTable& table, const FoundSet& found, const Part& part,
                            const Recipe& recipe) {
    const SearchPlan plan = search_plan(protocol_, found.test.has_value());
    if (protocol_ == Protocol::nested)
      return carried_over(searched(quiet(), part.train, recipe, plan), recipe, part.train);
    // Searched once, on rows of all folds. SVMs share what suits one-vs-all in the tables of codes, and so do the
    // least-squares machines.
    std::string base = recipe.machine;
    if (protocol_ == Protocol::codes) base = machine_from_name(recipe.machine).program ? "svm-ova" : "onelsm";
    const auto [place, fresh] = shared_.try_emplace({found.set, base});
    if (fresh) {
      const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const PublishedRow& other) { return other.machine == base; });
      place->second = searched(quiet(), found.data, trial_recipe(*row, protocol_, options_.seed), plan);
    }
    return carried_over(place->second, recipe, part.train);
  }

  Execution quiet() const { return {execution_.backend, execution_.memory, silent_, execution_.interrupt}; }

  const Execution& execution_;
  Protocol protocol_;
  TrialOptions options_;
  mutable Observer silent_;
  std::map<std::pair<std::size_t, std::string>, Searched> shared_;  ///< by set and machine
};

/// Whether the table wants the cell: codes are left out where the paper leaves them out, as too long or not to be had.
bool wanted(const PublishedTable& table, const ReproducedCell& cell) {
  return table.protocol != Protocol::codes || cell.published() != nullptr;
}

/// The pairs of which both rows have predictions.
std::vector<ReproducedPair> compared(const Reproduction& whole, std::span<const FoundSet> found, std::uint64_t seed) {
  const auto predicted = [&](std::size_t row, std::size_t set) -> const std::vector<int>* {
    for (const ReproducedCell& cell : whole.cells) {
      if (cell.row == &whole.table->rows[row] && cell.set == set && !cell.predicted.empty()) return &cell.predicted;
    }
    return nullptr;
  };
  std::vector<ReproducedPair> out;
  for (const PublishedPair& pair : whole.table->pairs) {
    for (const FoundSet& set : found) {
      const auto* first = predicted(pair.first, set.set);
      const auto* second = predicted(pair.second, set.set);
      if (first == nullptr || second == nullptr) continue;
      ReproducedPair one;
      one.pair = &pair;
      one.set = set.set;
      one.counts = paired_counts(set.test ? set.test->labels : set.data.labels, *first, *second);
      one.test = mcnemar(one.counts);
      one.interval = bootstrap_difference(one.counts, seed);
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace

const PublishedPairCell* ReproducedPair::published() const {
  const auto& cell = pair->cells[set];
  return cell ? &*cell : nullptr;
}

Reproduction reproduce_trials(const Execution& execution, const ReproduceChoice& choice,
                              std::span<const FoundSet> found, const TrialOptions& options) {
  const PublishedTable& table = *choice.table;
  Reproduction out = empty_reproduction(choice, found);
  Trials trials(execution, table.protocol, options);
  struct Job {
    const FoundSet* set;
    ReproducedCell* cell;
    double price;
  };
  std::vector<Job> jobs;  // set by set, so that an interrupt leaves whole sets
  double total = 0;
  for (const FoundSet& set : found) {
    out.notes.push_back(trials.rows_used(set, table.sets[set.set]));
    for (ReproducedCell& cell : out.cells) {
      if (cell.set != set.set || !wanted(table, cell)) continue;
      jobs.push_back({&set, &cell, trials.price(set, table.sets[set.set], *cell.row)});
      total += jobs.back().price;
    }
  }
  const Task task(execution.observer, table.name, total);
  double done = 0;
  try {
    for (const Job& job : jobs) {
      const std::string name = fmt::format("{} on {}", job.cell->row->name, table.sets[job.set->set].name);
      ShareObserver observer(execution.observer, done, job.price, name);
      trials.run(table, *job.set, observer, *job.cell);
      done += job.price;
      execution.observer.update(done, name);
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  out.pairs = compared(out, found, options.seed);
  return out;
}

std::string trial_protocol(const PublishedTable& table, const TrialOptions& options) {
  const SearchPlan plan = search_plan(table.protocol, true);
  const std::string partition = fmt::format("{} random partition{} into {} folds, seed {}", options.repeats,
                                            options.repeats == 1 ? "" : "s", kReproducedFolds, options.seed);
  if (table.protocol == Protocol::validation) {
    return fmt::format(
        "ours, up to {} rows without a test file: the smallest {}-fold error over every other value of the paper's "
        "grid "
        "(sigma 2^-2.5..2^4.5, cost 2^-2..2^12, 64 cells of 225; sigma to 2^1.5 and cost to 2^8, 30 cells, for Crammer "
        "and Singer, Weston and Watkins), {};\n"
        "ours, else: parameters of each machine by {}-fold cross-validation on at most {} training rows (theirs: on 30 "
        "% "
        "of all), then the error on the test file or over the folds;\nfeatures scaled to -1..1",
        kGridRows, kReproducedFolds, partition, plan.folds, plan.rows);
  }
  if (table.protocol == Protocol::codes) {
    return fmt::format(
        "ours: sigma and cost of one-vs-all SVMs (sigma and lambda of one-vs-all RLSC) by {}-fold cross-validation on "
        "at most {} training rows ({} without a test file), used for all codes;\nerror on the test file, else over "
        "{};\n"
        "intervals: 90 %, 10000 draws; features scaled to -1..1",
        plan.folds, plan.rows, search_plan(table.protocol, false).rows, partition);
  }
  return fmt::format(
      "ours: {}; in each training part sigma and C are searched as in the paper, greedily from 1 by factors of 2, but "
      "by {}-fold\ncross-validation (theirs: 10) on at most {} of its rows (theirs: all); C bounds every dual "
      "variable, "
      "programs are solved to {};\nfeatures standardised by the training part",
      partition, plan.folds, plan.rows, kNestedAccuracy);
}

}  // namespace manyone
