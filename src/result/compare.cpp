// SPDX-License-Identifier: Apache-2.0
#include "result/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/fingerprint.hpp"
#include "base/numbers.hpp"
#include "manyone/errors.hpp"
#include "model/majority.hpp"
#include "result/trial_journal.hpp"
#include "selection/shared_work.hpp"
#include "statistics/five_by_two.hpp"
#include "statistics/holm.hpp"
#include "statistics/resampled_t.hpp"

namespace manyone {

namespace {

constexpr double kConfidence = 0.95;
// Part of the memory that what machines share may take.
constexpr double kSharedMemory = 0.2;

/// Says of which table and machine a note is, and says it once: the trials of a comparison would say the same over and
/// over, with other numbers and classes.
class EachNoteOnce final : public Observer {
 public:
  explicit EachNoteOnce(Observer& to) : to_(to) {}
  void now(const std::string& table, const std::string& machine) { about_ = fmt::format("{}, {}: ", table, machine); }
  void note(const Words& message) override {
    const std::string text = message.text();
    const std::string start = text.substr(0, text.find_first_of("'0123456789"));
    if (said_.insert(about_ + (start.empty() ? text : start)).second) to_.note(Words(about_) + message);
  }

 private:
  Observer& to_;
  std::string about_;
  std::set<std::string> said_;
};

Dataset rows_of(const Dataset& data, const std::vector<Index>& rows) {
  Dataset out;
  out.features = data.features.select(rows);
  for (const Index i : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(i)]);
  out.classes = data.classes;
  out.schema = data.schema;
  out.source = data.source;
  return out;
}

/// The partitions of a table; of each only the folds up to `tested` are tested.
struct TestPlan {
  std::vector<Folds> partitions;
  int tested = 0;
};

TestPlan plan_for(const ComparisonProtocol& protocol, const Dataset& data, std::uint64_t seed) {
  FoldPlan folds;
  if (!data.folds.empty()) folds.groups = folds_from_text(data.folds, data.source);
  if (protocol.kind == ComparisonKind::holdout) {  // every class in proportion
    const auto n = static_cast<double>(data.rows());
    const Index test = std::clamp<Index>(static_cast<Index>(std::lround(protocol.share * n)), 1, data.rows() - 1);
    Folds split{2, std::vector<int>(data.labels.size(), 1)};
    const auto tested =
        folds.groups.empty() ? stratified_subset(data.labels, test, seed) : grouped_subset(folds.groups, test, seed);
    for (const Index i : tested) split.fold_of_row[static_cast<std::size_t>(i)] = 0;
    return {{std::move(split)}, 1};
  }
  const bool halves = protocol.kind == ComparisonKind::five_by_two;
  folds.stratified = true;
  folds.count = halves ? 2 : protocol.folds;
  if (folds.count > data.rows()) {
    throw ConfigError(
        "protocol",
        fmt::format("{} has {} rows, fewer than the {} folds of the protocol", data.source, data.rows(), folds.count),
        "use fewer folds");
  }
  TestPlan out{{}, folds.count};
  for (int repeat = 0; repeat < (halves ? 5 : protocol.repeats); ++repeat) {
    out.partitions.push_back(make_folds(folds, data.labels, seed, repeat));
  }
  return out;
}

/// Of all that decides what a trial gives.
std::uint64_t plan_fingerprint(const Execution& execution, const std::vector<Dataset>& tables,
                               const Comparison& comparison, std::uint64_t seed) {
  Fingerprint out;
  out.add(comparison.protocol.text()).add(seed);
  for (std::size_t s = 0; s < tables.size(); ++s) {
    const Dataset& data = tables[s];
    for (const ContestantResult& contestant : comparison.sets[s].contestants) {
      const Recipe& recipe = contestant.recipe;
      const JournalHeader header = journal_header(execution, recipe, data.rows(), data.features, data.labels);
      out.add(header.data).add(header.recipe).add(recipe.sigma.value_or(0)).add(recipe.ridge.value_or(0));
      out.add(std::span<const double>(recipe.sigma_range.values()));
      if (recipe.ridge_range) out.add(std::span<const double>(recipe.ridge_range->values()));
    }
  }
  return out.value();
}

/// Rows outside a fold.
std::vector<Index> training_rows(const Folds& folds, int fold) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < folds.fold_of_row.size(); ++i) {
    if (folds.fold_of_row[i] != fold) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

/// A training part is split again when its machine is tuned.
void check_groups(const Dataset& data, const TestPlan& plan) {
  if (data.folds.empty()) return;
  const Folds groups{static_cast<int>(data.folds.size()), folds_from_text(data.folds, data.source)};
  for (const Folds& folds : plan.partitions) {
    for (int fold = 0; fold < plan.tested; ++fold) {
      if (groups.restricted_to(training_rows(folds, fold)).count >= 2) continue;
      throw InputError(
          Place{data.source},
          fmt::format("a training part of the protocol has a single group of rows, of {}", groups.distinct()),
          "give rows of more groups");
    }
  }
}

/// Every training part must have two classes at least, and know every class it is tested on.
void check_classes(const Dataset& data, const TestPlan& plan) {
  for (const Folds& folds : plan.partitions) {
    for (int fold = 0; fold < plan.tested; ++fold) {
      std::vector<bool> known(data.classes.size(), false);
      for (std::size_t i = 0; i < data.labels.size(); ++i) {
        if (folds.fold_of_row[i] != fold) known[static_cast<std::size_t>(data.labels[i])] = true;
      }
      if (std::count(known.begin(), known.end(), true) < 2) {
        throw InputError(Place{data.source}, "a training part of the protocol has a single class", "use more rows");
      }
    }
  }
}

/// The rows outside a fold, on which all contestants are tuned and trained, and those inside, which they predict.
struct Split {
  Split(const Dataset& table, const Folds& folds, int fold, double shared_bytes)
      : data(table), train(training_rows(folds, fold)), shared(shared_bytes) {
    for (Index i = 0; i < data.rows(); ++i) {
      if (folds.fold_of_row[static_cast<std::size_t>(i)] == fold) test.push_back(i);
    }
    // Classes without a row in this part cannot be learned; the others keep their order.
    part = rows_of(data, train);
    std::vector<int> place(data.classes.size(), -1);
    std::vector<std::string> present;
    for (std::size_t c = 0; c < data.classes.size(); ++c) {
      if (std::find(part.labels.begin(), part.labels.end(), static_cast<int>(c)) == part.labels.end()) continue;
      place[c] = static_cast<int>(present.size());
      class_of.push_back(static_cast<int>(c));
      present.push_back(data.classes[c]);
    }
    for (int& label : part.labels) label = place[static_cast<std::size_t>(label)];
    part.classes = std::move(present);
  }

  const Dataset& data;
  std::vector<Index> train;
  std::vector<Index> test;
  Dataset part;               // the rows of `train`
  std::vector<int> class_of;  // the table's class for each of the part
  SharedWork shared;          // what contestants have in common is done once
};

/// What a recipe for a table says for some of its rows.
Recipe of_rows(Recipe recipe, const std::vector<Index>& rows) {
  recipe.folds = recipe.folds.of_rows(rows);
  if (recipe.row_weights.empty()) return recipe;
  std::vector<double> weights;
  for (const Index i : rows) weights.push_back(recipe.row_weights[static_cast<std::size_t>(i)]);
  recipe.row_weights = std::move(weights);
  return recipe;
}

Trial run_trial(const Execution& execution, Split& split, const Recipe& recipe, const TrialPlace& place) {
  const auto start = std::chrono::steady_clock::now();
  const long found = split.shared.found();
  const DatasetRows rows(split.part);
  const Fit fitted = fit(execution, resolve(execution, of_rows(recipe, split.train), rows, {.shared = &split.shared}));
  Trial out;
  out.shared = split.shared.found() - found;
  out.repeat = place.repeat;
  out.fold = place.fold;
  out.chosen = {fitted.classifier.expansion.kernel.sigma, fitted.classifier.ridge};
  const auto predicted = fitted.classifier.predict(execution.backend, split.data.features.select(split.test));
  long wrong = 0;
  for (std::size_t i = 0; i < split.test.size(); ++i) {
    out.predicted.push_back(predicted[i] < 0 ? -1 : split.class_of[static_cast<std::size_t>(predicted[i])]);
    wrong += out.predicted.back() != split.data.labels[static_cast<std::size_t>(split.test[i])];
  }
  out.error = static_cast<double>(wrong) / static_cast<double>(split.test.size());
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::vector<int> tested_labels(const Dataset& data, const Folds& folds, int fold) {
  std::vector<int> out;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    if (folds.fold_of_row[i] == fold) out.push_back(data.labels[i]);
  }
  return out;
}

/// What a journal says must fit the rows that were tested, and itself.
void check_predicted(const Trial& trial, std::span<const int> labels, const Dataset& data, const std::string& journal) {
  const auto is_class = [&](int c) { return c >= -1 && c < data.class_count(); };
  if (trial.predicted.size() == labels.size() && std::ranges::all_of(trial.predicted, is_class)) {
    long wrong = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) wrong += trial.predicted[i] != labels[i];
    constexpr double kRounding = 1e-9;
    const double error = static_cast<double>(wrong) / static_cast<double>(labels.size());
    if (std::abs(error - trial.error) <= kRounding) return;
  }
  throw InputError(Place{journal}, "a trial does not fit the tables", "remove the file to start anew");
}

void summarise(const Dataset& data, const TestPlan& plan, ContestantResult& result) {
  MetricsCollector metrics(data.class_count());
  for (const Trial& trial : result.trials) {
    result.error += trial.error / static_cast<double>(result.trials.size());
    result.seconds += trial.seconds;
    result.shared += trial.shared;
    const auto labels = tested_labels(data, plan.partitions[static_cast<std::size_t>(trial.repeat)], trial.fold);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (trial.predicted[i] < 0) {
        metrics.add_unanswered(labels[i]);
      } else {
        metrics.add(std::span(&labels[i], 1), std::span(&trial.predicted[i], 1));
      }
    }
  }
  if (result.trials.size() > 1) {
    double squares = 0;
    for (const Trial& trial : result.trials) squares += (trial.error - result.error) * (trial.error - result.error);
    result.std = std::sqrt(squares / static_cast<double>(result.trials.size() - 1));
  }
  result.balanced_error = metrics.result().balanced_error;
}

PairResult judge(const ComparisonProtocol& protocol, const Dataset& data, const TestPlan& plan,
                 const ContestantResult& a, const ContestantResult& b, std::uint64_t seed) {
  if (protocol.kind == ComparisonKind::holdout) {
    const auto labels = tested_labels(data, plan.partitions.front(), 0);
    const PairedCounts counts = paired_counts(labels, a.trials.front().predicted, b.trials.front().predicted);
    const McNemar test = mcnemar(counts);
    std::optional<Interval> interval;
    if (counts.first_only + counts.second_only > 0) interval = bootstrap_difference(counts, seed, kConfidence);
    return {{counts.difference(), test.statistic, test.exact_p, interval}, 0, 0, 0, "McNemar", kConfidence, 1};
  }
  std::vector<double> differences;
  for (std::size_t t = 0; t < a.trials.size(); ++t) differences.push_back(a.trials[t].error - b.trials[t].error);
  if (protocol.kind == ComparisonKind::five_by_two) {
    HalvedDifferences halves;
    for (std::size_t t = 0; t < differences.size(); ++t) halves[t / 2][t % 2] = differences[t];
    return {five_by_two(halves, kConfidence), 0, 0, 0, "5x2cv F", kConfidence, 1};
  }
  return {resampled_t(differences, 1.0 / (protocol.folds - 1), kConfidence), 0, 0, 0, "corrected t", kConfidence, 1};
}

}  // namespace

ComparisonProtocol ComparisonProtocol::parse(const std::string& text) {
  const auto wrong = ConfigError::must_be(
      "protocol", "5x2cv, cv[:FOLDS[xREPEATS]] such as cv:10x3, or holdout[:SHARE] such as holdout:0.3",
      fmt::format("'{}'", text), "leave it out for 5x2cv");
  ComparisonProtocol out;
  if (text == "5x2cv") return out;
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (name == "cv") {
    out.kind = ComparisonKind::folds;
    if (colon == std::string::npos) return out;
    const auto cross = rest.find('x');
    const auto folds = parse_integer(rest.substr(0, cross));
    const auto repeats =
        cross == std::string::npos ? std::optional<std::int64_t>(1) : parse_integer(rest.substr(cross + 1));
    if (!folds || !repeats || *folds < 2 || *repeats < 1 || *folds > 1000 || *repeats > 1000) throw wrong;
    out.folds = static_cast<int>(*folds);
    out.repeats = static_cast<int>(*repeats);
    return out;
  }
  if (name == "holdout") {
    out.kind = ComparisonKind::holdout;
    if (colon == std::string::npos) return out;
    const auto share = parse_double(rest);
    if (!share || !(*share > 0 && *share < 1)) throw wrong;
    out.share = *share;
    return out;
  }
  throw wrong;
}

std::string ComparisonProtocol::text() const {
  if (kind == ComparisonKind::five_by_two) return "5x2cv";
  if (kind == ComparisonKind::holdout) return fmt::format("holdout:{}", format_double(share));
  return repeats == 1 ? fmt::format("cv:{}", folds) : fmt::format("cv:{}x{}", folds, repeats);
}

Comparison compare(const Execution& execution, const std::vector<Dataset>& tables,
                   const std::vector<Contestant>& contestants, const ComparisonProtocol& protocol, std::uint64_t seed,
                   const std::string& journal_path) {
  const auto start = std::chrono::steady_clock::now();
  if (contestants.size() < 2)
    throw ConfigError("machines", "compare needs two machines or more", "give them, such as `machines=onelsm,svm-ovo`");
  Comparison out;
  out.protocol = protocol;
  EachNoteOnce notes(execution.observer);
  const Execution inside{execution.backend, execution.memory, notes, execution.interrupt};
  // All that can be refused is refused before the first minute of work.
  std::vector<TestPlan> plans;
  double work = 0;
  for (const Dataset& data : tables) {
    plans.push_back(plan_for(protocol, data, seed));
    check_classes(data, plans.back());
    check_groups(data, plans.back());
    ComparedSet set{data.source,
                    data.rows(),
                    data.features.features(),
                    data.classes,
                    data_fingerprint(data.rows(), data.features, data.labels),
                    majority_error(DatasetRows(data).class_counts()),
                    {}};
    for (const Contestant& contestant : contestants) {
      ContestantResult result;
      result.name = contestant.name;
      result.recipe = contestant.recipe(data);
      result.recipe.validate();
      set.contestants.push_back(std::move(result));
    }
    work += std::pow(static_cast<double>(data.rows()), 2) * static_cast<double>(plans.back().partitions.size());
    out.sets.push_back(std::move(set));
  }
  const auto journal =
      journal_path.empty() ? nullptr : TrialJournal::open(journal_path, plan_fingerprint(execution, tables, out, seed));
  execution.observer.begin("comparing", work);
  double done = 0;
  for (std::size_t s = 0; s < tables.size(); ++s) {
    const Dataset& data = tables[s];
    const TestPlan& plan = plans[s];
    ComparedSet& set = out.sets[s];
    const double share =
        std::pow(static_cast<double>(data.rows()), 2) / plan.tested / static_cast<double>(contestants.size());
    for (std::size_t repeat = 0; repeat < plan.partitions.size(); ++repeat) {
      for (int fold = 0; fold < plan.tested; ++fold) {
        Split split(data, plan.partitions[repeat], fold, kSharedMemory * static_cast<double>(execution.memory.bytes()));
        for (std::size_t c = 0; c < contestants.size(); ++c) {
          execution.interrupt.check();
          ContestantResult& result = set.contestants[c];
          const TrialPlace place{s, c, static_cast<int>(repeat), fold};
          if (const Trial* known = journal ? journal->find(place) : nullptr) {
            check_predicted(*known, tested_labels(data, plan.partitions[repeat], fold), data, journal_path);
            result.trials.push_back(*known);
          } else {
            notes.now(set.name, result.name);
            result.trials.push_back(run_trial(inside, split, result.recipe, place));
            if (journal) journal->add(place, result.trials.back());
          }
          done += share;
          execution.observer.update(done, fmt::format("{}, {}", set.name, result.name));
        }
      }
    }
    for (ContestantResult& result : set.contestants) summarise(data, plan, result);
    for (std::size_t a = 0; a < contestants.size(); ++a) {
      for (std::size_t b = a + 1; b < contestants.size(); ++b) {
        PairResult pair = judge(protocol, data, plan, set.contestants[a], set.contestants[b], seed);
        pair.set = s;
        pair.first = a;
        pair.second = b;
        out.pairs.push_back(std::move(pair));
      }
    }
  }
  execution.observer.end();
  std::vector<double> p;
  for (const PairResult& pair : out.pairs) p.push_back(pair.p);
  const auto adjusted = holm(p);
  for (std::size_t k = 0; k < adjusted.size(); ++k) out.pairs[k].holm_p = adjusted[k];
  if (tables.size() > 1) {
    const auto N = static_cast<Index>(tables.size());
    const auto k = static_cast<Index>(contestants.size());
    Matrix errors(N, k);
    for (Index i = 0; i < N; ++i) {
      for (Index j = 0; j < k; ++j) {
        errors(i, j) = out.sets[static_cast<std::size_t>(i)].contestants[static_cast<std::size_t>(j)].error;
      }
    }
    out.ranks = friedman(errors);
    out.critical_difference = nemenyi_difference(k, N, 1 - kConfidence);
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::string verdict(const Comparison& comparison, const PairResult& pair) {
  const auto& contestants = comparison.sets[pair.set].contestants;
  const std::string& first = contestants[pair.first].name;
  const std::string& second = contestants[pair.second].name;
  if (pair.inconsistent()) {
    return fmt::format("no verdict on {} and {}: the parts differ too much among themselves", first, second);
  }
  if (pair.better() == 0) return fmt::format("no significant difference between {} and {}", first, second);
  return fmt::format("{} is better than {}: {:.2f} points fewer errors", pair.better() < 0 ? first : second,
                     pair.better() < 0 ? second : first, 100 * std::abs(pair.difference));
}

}  // namespace manyone
