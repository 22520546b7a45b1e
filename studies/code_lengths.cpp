// SPDX-License-Identifier: Apache-2.0
#include "studies/code_lengths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/small_algebra.hpp"
#include "manyone/errors.hpp"
#include "result/text_table.hpp"
#include "studies/coded_regression.hpp"
#include "studies/table_run.hpp"

namespace manyone {

namespace {

double error_of(const Decoder& decoder, const Matrix& outputs, std::span<const int> labels) {
  const auto predicted = argmax_classes(decoder.scores(outputs));
  double wrong = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) wrong += predicted[i] != labels[i] ? 1 : 0;
  return wrong / static_cast<double>(predicted.size());
}

/// Whether the first L-1 columns and a constant one are independent: then they tell all classes apart.
bool spans_all(const Matrix& code) {
  const Index L = code.rows();
  Eigen::MatrixXd with_one(L, L);
  with_one.leftCols(L - 1) = code.leftCols(L - 1);
  with_one.rightCols(1).setOnes();
  constexpr double kDependent = 1e-12;
  return column_basis(with_one, kDependent).cols() == L;
}

/// Drawn again until its columns are independent, which takes a try or two.
Matrix code_of(const CodedRegression& regression, const std::string& name, std::uint64_t seed, int replicate) {
  constexpr std::uint64_t apart = 1000;  // between the seeds of one user's seed and those of the next
  for (std::uint64_t attempt = 0;; ++attempt) {
    Matrix code = regression.code(name, seed * apart + static_cast<std::uint64_t>(replicate) + attempt * apart * apart);
    if (name != "random" || spans_all(code)) return code;
  }
}

std::vector<double> errors_by_length(const Execution& execution, const CodedRegression& regression, const Matrix& code,
                                     const Matrix& outputs, std::span<const int> labels) {
  std::vector<double> out;
  for (Index k = 1; k < code.rows(); ++k) {
    execution.interrupt.check();
    const Matrix part = code.leftCols(k);
    out.push_back(error_of(regression.discriminant(part), outputs * part, labels));
  }
  return out;
}

/// The first rows of each class.
CodeView view_of(const PublishedRow& row, const Matrix& code, const Matrix& outputs, std::span<const int> labels) {
  std::vector<int> taken(static_cast<std::size_t>(code.rows()), 0);
  std::vector<Index> rows;
  CodeView out;
  out.row = &row;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (taken[static_cast<std::size_t>(labels[i])]++ >= kViewRows) continue;
    rows.push_back(static_cast<Index>(i));
    out.labels.push_back(labels[i]);
  }
  out.points = outputs(rows, Eigen::all) * code.leftCols(2);
  return out;
}

CodeLengths lengths_of(const Execution& execution, const ReproduceChoice& choice, const FoundSet& found, int repeats,
                       std::uint64_t seed) {
  CodeLengths out;
  out.set = found.set;
  out.classes = found.data.classes;
  out.trained = found.data.rows();
  out.tested = found.test->rows();
  Recipe recipe = recipe_at_setting(*choice.table, *choice.rows.front(), found.set);
  recipe.labelbook.clear();
  recipe.seed = seed;
  const CodedRegression regression(execution, found.data, recipe);
  const Matrix outputs = regression.outputs(found.test->features);
  for (const PublishedRow* row : choice.rows) {
    CodeRun run{row, {}};
    const bool drawn = row->labelbook == "random";
    for (int replicate = 0; replicate < (drawn ? repeats : 1); ++replicate) {
      const Matrix code = code_of(regression, row->labelbook, seed, replicate);
      run.errors.push_back(errors_by_length(execution, regression, code, outputs, found.test->labels));
      const bool viewed = row->labelbook == "optimal" || row->labelbook == "indicator";
      if (found.set == 0 && viewed && code.rows() > 2)
        out.views.push_back(view_of(*row, code, outputs, found.test->labels));
    }
    out.runs.push_back(std::move(run));
  }
  return out;
}

std::string in_percent(double share) { return fmt::format("{:.2f}", 100 * share); }

std::string rows_text(const CodeFigures& figures, const CodeLengths& one) {
  return fmt::format("{}: trained on {} rows, tested on {} others", figures.table->sets[one.set].name, one.trained,
                     one.tested);
}

}  // namespace

double CodeRun::mean(std::size_t length) const {
  double sum = 0;
  for (const auto& replicate : errors) sum += replicate[length];
  return sum / static_cast<double>(errors.size());
}

std::optional<std::size_t> CodeLengths::optimal_best() const {
  const auto optimal =
      std::find_if(runs.begin(), runs.end(), [](const CodeRun& run) { return run.row->labelbook == "optimal"; });
  if (optimal == runs.end() || runs.size() < 2) return std::nullopt;
  const std::size_t lengths = optimal->errors.front().size();
  for (std::size_t k = 0; k < lengths; ++k) {
    const bool beaten =
        std::any_of(runs.begin(), runs.end(), [&](const CodeRun& run) { return run.mean(k) < optimal->mean(k); });
    if (beaten) return k;
  }
  return lengths;
}

CodeFigures reproduce_code_lengths(const Execution& execution, const ReproduceChoice& choice,
                                   std::span<const FoundSet> found, int repeats, std::uint64_t seed) {
  CodeFigures out;
  out.table = choice.table;
  const Task task(execution.observer, choice.table->name, static_cast<double>(found.size()));
  Observer silent;
  const Execution quiet{execution.backend, execution.memory, silent, execution.interrupt};
  try {
    for (const FoundSet& set : found) {
      out.sets.push_back(lengths_of(quiet, choice, set, repeats, seed));
      execution.observer.update(static_cast<double>(out.sets.size()), choice.table->sets[set.set].name);
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

std::string code_lengths_text(const CodeFigures& figures) {
  std::string out;
  for (const CodeLengths& one : figures.sets) {
    std::vector<std::vector<std::string>> rows = {{"length"}};
    for (const CodeRun& run : one.runs) rows[0].push_back(run.row->name);
    for (std::size_t k = 0; k < one.runs.front().errors.front().size(); ++k) {
      rows.push_back({fmt::format("{}", k + 1)});
      for (const CodeRun& run : one.runs) {
        std::string cell = in_percent(run.mean(k));
        if (run.errors.size() > 1) {
          const auto [low, high] = std::minmax_element(run.errors.begin(), run.errors.end(),
                                                       [&](const auto& a, const auto& b) { return a[k] < b[k]; });
          cell += fmt::format(" [{}, {}]", in_percent((*low)[k]), in_percent((*high)[k]));
        }
        rows.back().push_back(std::move(cell));
      }
    }
    out += fmt::format("{}\n{}", rows_text(figures, one), text_table(rows));
    if (const auto best = one.optimal_best())
      out += *best == 0 ? "optimal scores do not have the smallest mean error at length 1\n"
                        : fmt::format("optimal scores have the smallest mean error up to length {}\n", *best);
    out += "\n";
  }
  for (const std::string& remark : figures.table->remarks) out += "* " + remark + "\n";
  for (const CodeLengths& one : figures.sets) {
    const std::string& remark = figures.table->sets[one.set].remark;
    if (!remark.empty()) out += "* " + remark + "\n";
  }
  return out;
}

Json code_lengths_json(const CodeFigures& figures) {
  Json out;
  out["table"] = figures.table->name;
  out["title"] = figures.table->title;
  out["source"] = figures.table->source;
  out["lengths"] = Json::array();
  out["views"] = Json::array();
  Json curves = Json::array();  // as pages show them
  for (const CodeLengths& one : figures.sets) {
    const std::string& name = figures.table->sets[one.set].name;
    Json codes = Json::array();
    for (const CodeRun& run : one.runs) {
      Json lengths = Json::array();
      Json means = Json::array();
      for (std::size_t k = 0; k < run.errors.front().size(); ++k) {
        lengths.push_back(k + 1);
        means.push_back(run.mean(k));
      }
      codes.push_back({{"name", run.row->name}, {"lengths", std::move(lengths)}, {"errors", std::move(means)}});
      if (run.errors.size() > 1) codes.back()["runs"] = run.errors;
      Json errors = Json::array();
      for (const auto& replicate : run.errors) {
        errors.push_back(Json::array());
        for (const double error : replicate) errors.back().push_back(100 * error);
      }
      out["lengths"].push_back({{"dataset", name}, {"code", run.row->labelbook}, {"errors", std::move(errors)}});
    }
    if (!codes.empty()) curves.push_back({{"name", name}, {"codes", std::move(codes)}});
    for (const CodeView& view : one.views) {
      Json points = Json::array();
      for (Index i = 0; i < view.points.rows(); ++i) {
        const auto c = static_cast<std::size_t>(view.labels[static_cast<std::size_t>(i)]);
        points.push_back({{"x", view.points(i, 0)}, {"y", view.points(i, 1)}, {"class", one.classes[c]}});
      }
      out["views"].push_back({{"dataset", name}, {"code", view.row->labelbook}, {"points", std::move(points)}});
    }
    out["rows_used"].push_back(rows_text(figures, one));
    const auto best = one.optimal_best();
    out["optimal_best_to"][name] = best ? Json(*best) : Json();
  }
  if (!curves.empty()) out["figures"] = {{"code_lengths", std::move(curves)}};
  out["remarks"] = figures.table->remarks;
  if (figures.interrupted) out["interrupted"] = true;
  return out;
}

}  // namespace manyone
