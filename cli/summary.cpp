// SPDX-License-Identifier: Apache-2.0
#include "cli/summary.hpp"

#include <fmt/format.h>

#include "machine/registry.hpp"
#include "result/text_table.hpp"
#include "statistics/wilson.hpp"

namespace manyone::cli {

std::string table_line(const RowSource& table) {
  return fmt::format("{}: {} rows, {} feature{}{}, {} classes", table.name(), table.rows(), table.features(),
                     table.features() == 1 ? "" : "s", table.sparse() ? " (sparse)" : "", table.classes().size());
}

std::string parameter_line(const std::string& machine, const Kernel& kernel, double ridge) {
  std::string out = fmt::format("{} kernel", kernel.name());
  if (kernel.entry->sigma) out += fmt::format(", sigma {:.4g}", kernel.sigma);
  if (kernel.entry->degree) out += fmt::format(", degree {}", kernel.degree);
  if (kernel.entry->offset) out += fmt::format(", offset {:.4g}", kernel.offset);
  const std::string_view parameter = machine_from_name(machine).parameter;
  return out + fmt::format(", {} {:.4g}", parameter, parameter == "cost" ? 1 / ridge : ridge);
}

std::string estimate_text(const CvSummary& cv) {
  const std::string folds = cv.folds == 0 ? "leave-one-out" : fmt::format("{}-fold", cv.folds);
  std::string error = percent(cv.error);
  if (cv.std) error += fmt::format(" (sd {} over {} repeats)", percent(*cv.std), cv.repeats);
  switch (cv.kind) {
    case EstimateKind::held_out: {
      const Interval interval = wilson(cv.error, cv.rows);
      return fmt::format("error {} (95 % interval {} to {}): {} rows, judged by models trained on {} others", error,
                         percent(interval.low), percent(interval.high), cv.rows, cv.train_rows);
    }
    case EstimateKind::subset:
      return fmt::format("with {} rows {} cross-validation error {}; that of the model on all rows is not known",
                         cv.rows, folds, error);
    case EstimateKind::cross_validation: break;
  }
  return fmt::format("{} cross-validation error {}", folds, error);
}

std::string error_line(const Tuning& tuning) {
  std::string out = estimate_text(tuning.cv);
  std::size_t cells = tuning.surface.size();
  for (const auto* rounds : {&tuning.rounds, &tuning.checks}) {
    for (const HalvingRound& round : *rounds) cells += round.cells.size();
  }
  if (cells > 1) out += fmt::format(", chosen among {} cells", cells);
  if (tuning.nested) {
    const std::string error = percent(tuning.nested->error);
    out += tuning.nested_is_of_model()
               ? fmt::format("\nnested error {}: the honest estimate, the search repeated in each of {} folds", error,
                             tuning.nested->folds)
               : fmt::format(
                     "\nnested error with {} rows {}: the search repeated in each of {} folds; that of the model "
                     "on all rows is the one above",
                     tuning.surface_rows, error, tuning.nested->folds);
  } else if (cells > 1 && tuning.cv.kind == EstimateKind::cross_validation) {
    out += " and so a little optimistic (--nested: honest)";
  }
  return out;
}

void note_dropped(const Program& program, const RowSource& table) {
  if (table.dropped() > 0) {
    program.observer().note(fmt::format("{} of {} rows have missing values and were left out", table.dropped(),
                                        table.rows() + table.dropped()));
  }
}

}  // namespace manyone::cli
