// SPDX-License-Identifier: Apache-2.0
#include "studies/stage_times.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/format.h>

#include "manyone/errors.hpp"
#include "result/text_table.hpp"
#include "studies/coded_regression.hpp"
#include "studies/table_run.hpp"

namespace manyone {

namespace {

constexpr int kRuns = 3;
constexpr std::string_view kUnit = "libsvm";  // what --machines calls it

/// CPU seconds of all threads since construction.
class CpuTimer {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

/// Each time the median of its own.
LibsvmTimes median(std::vector<LibsvmTimes> runs) {
  const auto middle = [&](double LibsvmTimes::*member) {
    std::sort(runs.begin(), runs.end(),
              [&](const LibsvmTimes& a, const LibsvmTimes& b) { return a.*member < b.*member; });
    return runs[runs.size() / 2].*member;
  };
  return {middle(&LibsvmTimes::train), middle(&LibsvmTimes::test), middle(&LibsvmTimes::error)};
}

LibsvmTimes run_ours(const Execution& execution, const PublishedTable& table, const PublishedRow& row,
                     const FoundSet& found) {
  LibsvmTimes out;
  const CpuTimer training;
  const Model model = train_at_setting(execution, found.data, table, row, found.set, 1);
  out.train = training.seconds();
  const CpuTimer testing;
  const auto predicted = model.predict(execution.backend, found.test->features);
  out.test = testing.seconds();
  for (std::size_t i = 0; i < predicted.size(); ++i) out.error += predicted[i] != found.test->labels[i] ? 1 : 0;
  out.error /= static_cast<double>(predicted.size());
  return out;
}

/// The rows as a recipe of this table scales them.
std::pair<Dataset, Dataset> standardised(const FoundSet& found) {
  Dataset train = found.data;
  Dataset test = *found.test;
  ScalingSums sums;
  sums.add(train.features);
  const Scaling scaling = sums.finish(ScalingKind::standard);
  scaling.apply(train.features);
  scaling.apply(test.features);
  return {std::move(train), std::move(test)};
}

/// A time of a stage, and the same as published.
struct Stage {
  std::string_view name;
  std::string_view tool;
  double LibsvmTimes::*ours;
  std::optional<double> PublishedCell::*published;
};
constexpr std::array<Stage, 2> kStages = {
    {{"training", "svm-train", &LibsvmTimes::train, &PublishedCell::seconds},
     {"testing", "svm-predict", &LibsvmTimes::test, &PublishedCell::test_seconds}}};

std::optional<double> published_time(const PublishedRow& row, std::size_t set, const Stage& stage) {
  return row.cells[set] ? (*row.cells[set]).*stage.published : std::nullopt;
}

/// The row of LIBSVM at the parameters of the paper.
const PublishedRow* unit_row(const PublishedTable& table) {
  for (const PublishedRow& row : table.rows) {
    if (row.choice() == kUnit) return &row;
  }
  return nullptr;
}

std::optional<double> published_ratio(const StageTimes& times, const PublishedRow& row, std::size_t set,
                                      const Stage& stage) {
  const PublishedRow* unit = unit_row(*times.table);
  const auto value = published_time(row, set, stage);
  const auto of = unit != nullptr ? published_time(*unit, set, stage) : std::nullopt;
  if (!value || !of) return std::nullopt;
  return *value / *of;
}

std::optional<double> our_ratio(const StageTimes& times, const std::optional<LibsvmTimes>& value, std::size_t set,
                                const Stage& stage) {
  const LibsvmTimes* unit = times.unit(set);
  if (!value || unit == nullptr || !(unit->*stage.ours > 0)) return std::nullopt;
  return (*value).*stage.ours / unit->*stage.ours;
}

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json times_json(const std::optional<LibsvmTimes>& times) {
  if (!times) return Json();
  return {{"train_seconds", times->train}, {"test_seconds", times->test}, {"error", 100 * times->error}};
}

}  // namespace

const LibsvmTimes* StageTimes::unit(std::size_t set) const {
  for (const StageCell& cell : cells) {
    if (cell.set != set || cell.row->choice() != kUnit) continue;
    if (cell.tools) return &*cell.tools;
    return !tools && cell.ours ? &*cell.ours : nullptr;
  }
  return nullptr;
}

StageTimes reproduce_stages(const Execution& execution, const ReproduceChoice& choice,
                            std::span<const FoundSet> found) {
  const LibsvmTools tools;
  StageTimes out;
  out.table = choice.table;
  out.tools = tools.present();
  out.threads = execution.backend.threads();
  std::vector<const PublishedRow*> rows = choice.rows;
  const PublishedRow* unit = unit_row(*choice.table);
  if (unit != nullptr && std::find(rows.begin(), rows.end(), unit) == rows.end()) rows.push_back(unit);
  for (const PublishedRow* row : rows) {
    for (const FoundSet& set : found) out.cells.push_back({row, set.set, {}, {}});
  }
  const Task task(execution.observer, choice.table->name, static_cast<double>(out.cells.size()));
  Observer silent;
  const Execution quiet{execution.backend, execution.memory, silent, execution.interrupt};
  double done = 0;
  try {
    for (const FoundSet& set : found) {  // so that an interrupt leaves whole sets
      const auto [train, test] = standardised(set);
      for (StageCell& cell : out.cells) {
        if (cell.set != set.set) continue;
        std::vector<LibsvmTimes> ours;
        std::vector<LibsvmTimes> theirs;
        run_ours(quiet, *choice.table, *cell.row, set);  // warms up
        for (int run = 0; run < kRuns; ++run) {
          execution.interrupt.check();
          ours.push_back(run_ours(quiet, *choice.table, *cell.row, set));
          if (!out.tools || cell.row->machine != "svm-ovo") continue;
          const Recipe recipe = recipe_at_setting(*choice.table, *cell.row, set.set);
          if (const auto times = tools.run(train, test, 1 / (2 * *recipe.sigma * *recipe.sigma), 1 / *recipe.ridge))
            theirs.push_back(*times);
        }
        execution.interrupt.check();
        cell.ours = median(std::move(ours));
        if (!theirs.empty()) cell.tools = median(std::move(theirs));
        execution.observer.update(++done, fmt::format("{} on {}", cell.row->name, choice.table->sets[set.set].name));
      }
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

std::string stages_text(const StageTimes& times) {
  std::string out;
  const std::string base = times.tools ? "svm-train and svm-predict" : "our svm-ovo";
  for (const Stage& stage : kStages) {
    std::vector<std::vector<std::string>> rows = {
        {std::string(stage.name), "data set", "published", "ours", "published ratio", "our ratio", "our error"}};
    for (const StageCell& cell : times.cells) {
      const std::string& set = times.table->sets[cell.set].name;
      const auto published = published_time(*cell.row, cell.set, stage);
      const auto printed = published_ratio(times, *cell.row, cell.set, stage);
      const auto line = [&](const std::string& name, const std::optional<LibsvmTimes>& value) {
        rows.push_back({name, set, number(published, 2), value ? number((*value).*stage.ours, 3) : "-",
                        number(printed, 2), number(our_ratio(times, value, cell.set, stage), 2),
                        value ? number(100 * value->error, 2) : "-"});
      };
      line(cell.row->name, cell.ours);
      if (cell.tools) line(fmt::format("{}, {}", cell.row->name, stage.tool), cell.tools);
    }
    out += text_table(rows) + "\n";
  }
  out += fmt::format("ratios: to LIBSVM at the parameters of the paper, ours to {}{}\n", base,
                     times.tools ? "" : ", since svm-train and svm-predict are not on the PATH");
  out += fmt::format("* CPU seconds of all threads ({} here), the median of {}\n", times.threads, kRuns);
  if (times.tools)
    out +=
        "* the times of svm-train and svm-predict include reading rows and reading or writing the model; ours have "
        "them in memory\n";
  for (const std::string& remark : times.table->remarks) out += "* " + remark + "\n";
  return out;
}

Json stages_json(const StageTimes& times) {
  Json out;
  out["table"] = times.table->name;
  out["title"] = times.table->title;
  out["source"] = times.table->source;
  out["cells"] = Json::array();
  for (const StageCell& cell : times.cells) {
    Json json;
    json["name"] = cell.row->name;
    json["machine"] = cell.row->machine;
    json["labelbook"] = cell.row->labelbook.empty() ? Json() : Json(cell.row->labelbook);
    json["decode"] = cell.row->decode.empty() ? Json() : Json(cell.row->decode);
    json["dataset"] = times.table->sets[cell.set].name;
    json["published"] = {{"train_seconds", or_null(published_time(*cell.row, cell.set, kStages[0]))},
                         {"test_seconds", or_null(published_time(*cell.row, cell.set, kStages[1]))}};
    json["ours"] = times_json(cell.ours);
    if (cell.row->machine == "svm-ovo") json["libsvm"] = times_json(cell.tools);
    for (const Stage& stage : kStages) {
      json["ratio"][std::string(stage.name)] = {
          {"published", or_null(published_ratio(times, *cell.row, cell.set, stage))},
          {"ours", or_null(our_ratio(times, cell.ours, cell.set, stage))}};
    }
    out["cells"].push_back(std::move(json));
  }
  out["libsvm_tools"] = times.tools;
  out["threads"] = times.threads;
  out["remarks"] = times.table->remarks;
  if (times.interrupted) out["interrupted"] = true;
  return out;
}

}  // namespace manyone
