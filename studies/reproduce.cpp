// SPDX-License-Identifier: Apache-2.0
#include "studies/reproduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machine/registry.hpp"
#include "manyone/errors.hpp"
#include "selection/tune.hpp"
#include "studies/table_run.hpp"

namespace manyone {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool exists(const PublishedRow& row) {
  const auto all = machines();
  return std::any_of(all.begin(), all.end(), [&](const MachineEntry& info) { return info.name == row.machine; });
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool named(std::span<const std::string> names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void check_machines(const PublishedTable& table, std::span<const std::string> asked) {
  std::vector<std::string> here;
  std::vector<std::string> elsewhere;
  for (const PublishedRow& row : table.rows) add_once(exists(row) ? here : elsewhere, row.choice());
  for (const std::string& name : asked) {
    if (std::find(here.begin(), here.end(), name) != here.end()) continue;
    const bool printed = std::find(elsewhere.begin(), elsewhere.end(), name) != elsewhere.end();
    throw ConfigError(fmt::format("{} {}; machines of {} are {}", printed ? "this version has no" : "unknown machine",
                                  name, table.name, fmt::join(here, ", ")));
  }
}

void check_sets(const PublishedTable& table, std::span<const std::string> asked) {
  std::vector<std::string> names;
  for (const PublishedSet& set : table.sets) names.push_back(set.name);
  for (const std::string& name : asked) {
    if (!named(names, name)) {
      throw ConfigError(
          fmt::format("unknown data set '{}'; data sets of {} are {}", name, table.name, fmt::join(names, ", ")));
    }
  }
}

/// Machine, labelbook and bias that stand for all that predict alike: oneLSM does not depend on the labelbook
/// (Theorem 5) and is one-vs-all; alignment and mincorr have the same Gram matrix (Proposition 3); a factor on the
/// codewords, by which consistency differs, leaves vo-RLS(f) as it is (SPEC section 3).
std::tuple<std::string, std::string, bool> representative(const PublishedRow& row) {
  std::string machine = row.machine == "ls-ova" ? "onelsm" : row.machine;
  std::string book = row.labelbook;
  if (machine == "onelsm") book = "";
  if (book == "mincorr") book = "alignment";
  if (machine == "vo-rls-f" && book == "consistency") book = "alignment";
  return {std::move(machine), std::move(book), row.bias};
}

/// Rough price of a search, for the time left: one inverse for each cell and a correction for each partition; for each
/// pair of classes in LS OvO; refits by fold for vo-RLS. Indicators go class by class. The factors are measured.
double search_price(const PublishedRow& row, const Dataset& data, int repeats) {
  const auto n = static_cast<double>(data.rows());
  const auto L = static_cast<double>(data.class_count());
  const bool split = row.labelbook == "indicator";
  if (row.machine == "vo-rls-beta") return n * n * n * repeats * (split ? 10 / L : 10);
  if (row.machine == "vo-rls-f") return n * n * n * repeats * (split ? 40 / L : 10 + 2 * L);
  if (row.machine == "ls-ovo") return n * n * (4 * n / L + 200 * L * repeats);
  const bool blocks = row.machine == "vo-lssvm" && split;
  return n * n * (blocks ? n / (L * L) : n) + 30 * n * n * repeats;
}

/// Cells that one search serves; the first is computed.
struct Search {
  const FoundSet* set;
  std::vector<ReproducedCell*> cells;
};

std::vector<Search> searches(Reproduction& whole, std::span<const FoundSet> found) {
  std::vector<Search> out;
  for (const FoundSet& set : found) {
    std::map<std::tuple<std::string, std::string, bool>, std::size_t> of_representative;
    for (ReproducedCell& cell : whole.cells) {
      if (cell.set != set.set) continue;
      cell.refused = !accepted(*cell.row, set.data);
      if (cell.refused) continue;
      const auto [place, fresh] = of_representative.try_emplace(representative(*cell.row), out.size());
      if (fresh) out.push_back({&set, {}});
      out[place->second].cells.push_back(&cell);
    }
  }
  return out;
}

void run_search(const Execution& execution, const Search& search, int repeats, std::uint64_t seed) {
  const Timer timer;
  Recipe recipe = recipe_of(*search.cells.front()->row);
  recipe.search = SearchKind::grid;  // its ranges are those of the paper
  recipe.scaling = ScalingKind::range;
  recipe.repeats = repeats;
  recipe.seed = seed;
  const Tuning tuning = tune(execution, search.set->data, recipe);
  if (tuning.interrupted) throw Interrupted();
  const GridMinimum minimum = grid_minimum(tuning.surface);
  const double seconds = timer.seconds();
  for (ReproducedCell* cell : search.cells) {
    cell->ours = minimum;
    cell->seconds = seconds;
    if (cell != search.cells.front()) cell->same_as = search.cells.front()->row;
  }
}

/// Mean of 2 x 2 pixels of square images.
Matrix halved(const Matrix& images, const std::string& source) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(images.cols()))));
  if (side * side != images.cols() || side % 2 != 0) {
    throw InputError(
        fmt::format("{}: expected square images of an even side, found {} features", source, images.cols()));
  }
  Matrix out = Matrix::Zero(images.rows(), images.cols() / 4);
  for (Index r = 0; r < side; ++r) {
    for (Index c = 0; c < side; ++c) out.col(r / 2 * (side / 2) + c / 2) += images.col(r * side + c) / 4;
  }
  return out;
}

constexpr double kFigureSigma = 0.6;
constexpr double kFigureRidge = 100;

/// Sepal length and petal width.
Dataset figure_features(const Dataset& iris) {
  if (iris.features.features() != 4) {
    throw InputError(
        fmt::format("{}: expected the four features of iris, found {}", iris.source, iris.features.features()));
  }
  Dataset out = iris;
  const Matrix all = iris.features.dense_rows(0, iris.rows());
  out.features = Matrix(all(Eigen::all, std::array<Index, 2>{0, 3}));
  return out;
}

struct Split {
  Dataset train;
  Dataset test;
};

Split split_in_five(const Dataset& data, std::uint64_t seed, int repeat) {
  FoldPlan plan;
  plan.count = 5;
  const Folds folds = make_folds(plan, data.labels, seed, repeat);
  std::vector<Index> train;
  std::vector<Index> test;
  for (Index i = 0; i < data.rows(); ++i)
    (folds.fold_of_row[static_cast<std::size_t>(i)] == 0 ? test : train).push_back(i);
  return {selected(data, train), selected(data, test)};
}

}  // namespace

const PublishedCell* ReproducedCell::published() const {
  const auto& cell = row->cells[set];
  return cell ? &*cell : nullptr;
}

ReproduceChoice choose_part(const PublishedTable& table, std::span<const std::string> machine_names,
                            std::span<const std::string> set_names) {
  check_machines(table, machine_names);
  check_sets(table, set_names);
  ReproduceChoice out;
  out.table = &table;
  for (const PublishedRow& row : table.rows) {
    if (!named(machine_names, row.choice())) continue;
    if (exists(row)) {
      out.rows.push_back(&row);
    } else {
      add_once(out.left_out, row.choice());
    }
  }
  for (std::size_t s = 0; s < table.sets.size(); ++s) {
    if (named(set_names, table.sets[s].name)) out.sets.push_back(s);
  }
  return out;
}

Dataset as_published(const PublishedSet& set, Dataset data) {
  if (set.subset) {
    if (data.rows() < set.rows) {
      throw InputError(
          fmt::format("{}: expected at least {} rows for {}, found {}", data.source, set.rows, set.name, data.rows()));
    }
    std::vector<Index> rows(static_cast<std::size_t>(set.rows));
    std::iota(rows.begin(), rows.end(), Index{0});
    data = selected(data, rows);
  }
  if (set.halve) data.features = halved(data.features.dense_rows(0, data.rows()), data.source);
  return data;
}

std::pair<Dataset, std::optional<Dataset>> train_and_test(const PublishedSet& set, const Dataset& data) {
  if (set.train == 0) return {data, std::nullopt};
  if (data.rows() <= set.train) {
    throw InputError(fmt::format("{}: expected {} rows to train on and then some to test, found {}", data.source,
                                 set.train, data.rows()));
  }
  std::vector<Index> train;
  std::vector<Index> test;
  for (Index i = 0; i < data.rows(); ++i) (i < set.train ? train : test).push_back(i);
  return {selected(data, train), selected(data, test)};
}

std::string shape_difference(const PublishedSet& set, const Dataset& data) {
  // Papers count columns of words, we the features they become.
  const auto columns = static_cast<Index>(data.schema.columns.size());
  const bool same_features = data.features.features() == set.features || columns == set.features;
  if (data.rows() == set.rows && same_features && data.class_count() == set.classes) return "";
  return fmt::format("{}: the paper's {} has {} rows, {} features and {} classes, this one {}, {} and {}", data.source,
                     set.name, set.rows, set.features, set.classes, data.rows(), data.features.features(),
                     data.class_count());
}

Reproduction reproduce_errors(const Execution& execution, const ReproduceChoice& choice,
                              std::span<const FoundSet> found, int repeats, std::uint64_t seed) {
  Reproduction out = empty_reproduction(choice, found);
  const auto jobs = searches(out, found);
  const auto price = [&](const Search& job) { return search_price(*job.cells.front()->row, job.set->data, repeats); };
  double total = 0;
  for (const Search& job : jobs) total += price(job);
  const Task task(execution.observer, choice.table->name, total);
  double done = 0;
  try {
    for (const Search& job : jobs) {
      const PublishedRow& row = *job.cells.front()->row;
      const std::string& set = choice.table->sets[job.set->set].name;
      ShareObserver observer(execution.observer, done, price(job), fmt::format("{} on {}", row.name, set));
      run_search({execution.backend, execution.memory, observer, execution.interrupt}, job, repeats, seed);
      done += price(job);
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

Reproduction reproduce_times(const Execution& execution, const ReproduceChoice& choice,
                             std::span<const FoundSet> found) {
  ReproduceChoice with_unit = choice;
  const auto is_unit = [](const PublishedRow* row) { return row->machine == "onelsm"; };
  if (std::none_of(choice.rows.begin(), choice.rows.end(), is_unit)) {
    for (const PublishedRow& row : choice.table->rows) {
      if (is_unit(&row)) with_unit.rows.push_back(&row);
    }
  }
  Reproduction out = empty_reproduction(with_unit, found);
  const Task task(execution.observer, choice.table->name, static_cast<double>(out.cells.size()));
  double done = 0;
  try {
    for (ReproducedCell& cell : out.cells) {
      const auto place = std::find_if(found.begin(), found.end(), [&](const FoundSet& s) { return s.set == cell.set; });
      std::vector<double> seconds;
      for (int run = 0; run < 4; ++run) {
        execution.interrupt.check();
        const Timer timer;
        train(execution, place->data, recipe_of(*cell.row), 1, 1);
        if (run > 0) seconds.push_back(timer.seconds());  // the first one warms up
      }
      cell.seconds = median(seconds);
      execution.observer.update(++done, cell.row->name);
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

IrisFigure reproduce_iris_figure(const Execution& execution, const ReproduceChoice& choice, const Dataset& iris,
                                 int repeats, std::uint64_t seed) {
  const FoundSet found{0, figure_features(iris)};
  IrisFigure out;
  out.errors = empty_reproduction(choice, std::span(&found, 1));
  for (ReproducedCell& cell : out.errors.cells) {
    Recipe recipe = recipe_of(*cell.row);
    recipe.scaling = ScalingKind::none;
    cell.ours.emplace();
    std::vector<double> seconds;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      execution.interrupt.check();
      const Split split = split_in_five(found.data, seed, repeat);
      const Timer timer;
      Model model = train(execution, split.train, recipe, kFigureSigma, kFigureRidge);
      seconds.push_back(timer.seconds());
      const auto predicted = model.predict(execution.backend, split.test.features);
      double wrong = 0;
      for (std::size_t i = 0; i < predicted.size(); ++i) wrong += predicted[i] != split.test.labels[i] ? 1 : 0;
      cell.ours->errors.push_back(wrong / static_cast<double>(predicted.size()));
      if (repeat == 0 && &cell == &out.errors.cells.front()) {
        out.model = std::move(model);
        out.points = split.train;
      }
    }
    cell.seconds = median(seconds);
  }
  return out;
}

}  // namespace manyone
