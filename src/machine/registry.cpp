// SPDX-License-Identifier: Apache-2.0
#include "machine/registry.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/names.hpp"
#include "base/worded.hpp"
#include "labelbook/codes.hpp"
#include "machine/ls_ecoc.hpp"
#include "machine/msvr.hpp"
#include "machine/onelsm.hpp"
#include "machine/sbc_ls.hpp"
#include "machine/sbc_svm.hpp"
#include "machine/single_svm.hpp"
#include "machine/svm_ecoc.hpp"
#include "machine/vo_lssvm.hpp"
#include "machine/vo_rls.hpp"
#include "machine/vo_svm.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

bool has_code_entries(const Labelbook& book) {
  return (book.codewords.array() == 0 || book.codewords.array().abs() == 1).all();
}

bool same_norms(const Labelbook& book) {
  const Vector norms = book.codewords.rowwise().squaredNorm();
  return norms.maxCoeff() - norms.minCoeff() <= 1e-12 * norms.maxCoeff();
}

/// Every column sets some classes against others.
bool opposes_in_every_column(const Labelbook& book) {
  return (book.codewords.colwise().maxCoeff().array() == 1).all() &&
         (book.codewords.colwise().minCoeff().array() == -1).all();
}

void check(const MachineEntry& entry, const LabelSpace& labels, bool bias) {
  const Labelbook& book = labels.book;
  require_bias_fits(entry, bias);
  if (labels.own_kernel && !entry.label_kernel) {
    throw ConfigError("label_kernel", worded("{} trains plain binary problems and takes no `label_kernel`", entry.name),
                      "leave it out, or use onelsm, a vector-output machine or sbc-ls");
  }
  if (bias && entry.bias == BiasUse::with_centred_books && (labels.own_kernel || !book.centred())) {
    throw ConfigError(
        "bias",
        worded(
            "{} with a bias needs codewords that sum to 0, those of {} do not: its bias alone would fit every row and "
            "all scores tie",
            entry.name, labels.own_kernel ? "a label kernel" : "labelbook " + book.name),
        "use `labelbook=mincorr`, alignment or consistency, or leave `bias` out");
  }
  if (entry.books == BookUse::any && is_code(book.name) && !labels.own_kernel && !same_norms(book)) {
    throw ConfigError(
        "labelbook",
        fmt::format("the codewords of labelbook {} have different lengths, and {} would favour the long ones",
                    book.name, entry.name),
        "use a book such as indicator, or `machine=ls-ecoc` with a code of -1, 0 and 1 such as dense or sparse");
  }
  if (entry.books == BookUse::coded && !has_code_entries(book)) {
    throw ConfigError(
        "labelbook",
        fmt::format("{} needs a code with entries -1, 0 and 1, labelbook {} has others", entry.name, book.name),
        "use dense, sparse, complete, bch, ova or ava");
  }
  if (entry.books == BookUse::coded && !opposes_in_every_column(book)) {
    throw ConfigError(
        "labelbook",
        fmt::format("{} trains every column as a problem of 1 against -1, and {} has columns without one of them",
                    entry.name, book.name),
        "use dense, sparse, complete, bch, ova or ava");
  }
}

}  // namespace

// In the order they are shown to users.
std::span<const MachineEntry> machines() {
  static const std::array all = {kOneLsm,    kMsvr,        kVoLssvm,   kVoRlsBeta, kVoRlsF, kLsOva,  kLsOvo,
                                 kLsEcoc,    kSbcLs,       kVoSvm,     kSvmOva,    kSvmOvo, kSvmDag, kSvmEcoc,
                                 kSbcSingle, kSbcIdentity, kSbcKernel, kSbcEcoc,   kWw,     kCs,     kLlw};
  return all;
}

const MachineEntry& usual_machine() { return kOneLsm; }

const MachineEntry& usual_machine_on_columns() { return kMsvr; }

const MachineEntry& machine_of_svm_pairs() { return kSvmOvo; }

const MachineEntry& machine_from_name(std::string_view name) { return named(machines(), name, "machine", "machine"); }

std::string machines_with(bool MachineEntry::*trait) {
  std::vector<std::string_view> names;
  for (const MachineEntry& entry : machines()) {
    if (entry.*trait) names.push_back(entry.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_bias_fits(const MachineEntry& entry, bool asked) {
  if (!asked || entry.takes_bias()) return;
  throw ConfigError(
      "bias",
      fmt::format("{} {}", entry.name, entry.bias == BiasUse::always ? "has a bias in any case" : "has no bias term"),
      "leave `bias` out");
}

std::unique_ptr<Machine> make_machine(const MachineEntry& entry, MachineChoices choices) {
  if (entry.on_kernel == nullptr) {
    throw ConfigError("machine",
                      fmt::format("{} is trained on columns of kernel values, not on a kernel matrix", entry.name),
                      "use `centers`, or another machine");
  }
  check(entry, choices.labels, choices.bias);
  return entry.on_kernel(std::move(choices));
}

std::unique_ptr<Machine> make_machine(std::string_view name, LabelSpace labels, bool bias, SolverChoice solver) {
  return make_machine(machine_from_name(name), {std::move(labels), bias, solver});
}

}  // namespace manyone
