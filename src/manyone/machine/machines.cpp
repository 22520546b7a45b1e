// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/machines.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/names.hpp"
#include "manyone/labelbook/codes.hpp"
#include "manyone/machine/ls_ecoc.hpp"
#include "manyone/machine/onelsm.hpp"
#include "manyone/machine/sbc_ls.hpp"
#include "manyone/machine/sbc_svm.hpp"
#include "manyone/machine/single_svm.hpp"
#include "manyone/machine/svm_ecoc.hpp"
#include "manyone/machine/vo_lssvm.hpp"
#include "manyone/machine/vo_rls.hpp"
#include "manyone/machine/vo_svm.hpp"

namespace manyone {

namespace {

constexpr std::string_view kHoneine = "Honeine, Noumir, Richard 2013";
constexpr std::string_view kElYaniv = "El-Yaniv, Pechyony, Yom-Tov 2008";

constexpr std::array kMachines = {
    MachineInfo{"onelsm", "one least-squares machine for all classes: one factorisation, any number of classes",
                "n^3/3; n m^2 with m centres", kHoneine, "ridge", "indicator", BookUse::any, true, true, false, true},
    MachineInfo{"msvr", "coding and regression on kernel values at centres, then a small decoder: any number of rows",
                "n m^2 with m centres", "Chen, Lee, Lee, Lee, Huang 2009", "cost", "indicator", BookUse::any, false,
                false, false, true},
    MachineInfo{"vo-lssvm", "vector-output LS-SVM: n unknowns, L systems of n/L rows with indicators",
                "n^3/3; n^3/(3L^2) with indicators", kHoneine, "cost", "indicator", BookUse::any, true, true, false,
                true},
    MachineInfo{"vo-rls-beta", "vector-output least squares, penalty on the coefficients",
                "4n^3/3; n^3/L with indicators", kHoneine, "ridge", "indicator", BookUse::any, false, true, false,
                true},
    MachineInfo{"vo-rls-f", "vector-output least squares, penalty on the function",
                "about 10n^3 + 4qn^3; 4n^3/L with indicators", kHoneine, "ridge", "indicator", BookUse::any, false,
                true, false, true},
    MachineInfo{"ls-ova", "one-vs-all, a separate system for each class (the naive way, to compare with)", "L n^3/3",
                kHoneine, "ridge", "pm1", BookUse::own, true, true, false, true},
    MachineInfo{"ls-ovo", "one-vs-one: a system for each pair of classes, sharing the factors of the classes",
                "7n^3/(6L)", kHoneine, "ridge", "ava", BookUse::own, false, false, false, true},
    MachineInfo{"ls-ecoc", "error-correcting code: codes without zeros from the one-vs-all solution, without training",
                "n^3/3; with zeros one system per column", "Rifkin 2008; Allwein, Schapire, Singer 2000", "ridge",
                "dense", BookUse::coded, false, false, false, true},
    MachineInfo{"sbc-ls", "single binary classifier on copies of the rows, with a kernel on labels",
                "2n^3/3 (one factorisation per eigenvalue of the label kernel)", kElYaniv, "ridge", "indicator",
                BookUse::any, false, true, false, true},
    MachineInfo{"vo-svm", "vector-output SVM: n unknowns, L problems of n/L rows with indicators",
                "a quadratic program of n variables", kHoneine, "cost", "indicator", BookUse::any, true, true, true},
    MachineInfo{"svm-ova", "one-vs-all SVMs", "L quadratic programs of n variables", "Rifkin 2008", "cost", "ova",
                BookUse::own, true, false, true},
    MachineInfo{"svm-ovo", "one-vs-one SVMs: one for each pair of classes, decoded by votes",
                "L(L-1)/2 quadratic programs of 2n/L variables", "Rifkin 2008", "cost", "ava", BookUse::own, false,
                false, true},
    MachineInfo{"svm-dag", "one-vs-one SVMs, decoded by a directed acyclic graph",
                "L(L-1)/2 quadratic programs of 2n/L variables", kHoneine, "cost", "ava", BookUse::own, false, false,
                true},
    MachineInfo{"svm-ecoc", "SVMs on the columns of an error-correcting code",
                "a quadratic program of up to n variables for each column", "Allwein, Schapire, Singer 2000", "cost",
                "dense", BookUse::coded, true, false, true},
    MachineInfo{"sbc-single", "single binary SVM on copies of the rows, labelled by the number of the class",
                "a quadratic program of nL variables", kElYaniv, "cost", "ova", BookUse::own, false, false, true},
    MachineInfo{"sbc-identity", "single binary SVM on copies of the rows, labelled by unit vectors",
                "a quadratic program of nL variables", kElYaniv, "cost", "ova", BookUse::own, false, false, true},
    MachineInfo{"sbc-kernel", "single binary SVM on copies of the rows, the kernel on labels learned with it",
                "some quadratic programs of nL variables", kElYaniv, "cost", "ova", BookUse::own, false, false, true},
    MachineInfo{"sbc-ecoc", "single binary SVM on copies of the rows, one for each column of a code",
                "a quadratic program of nF variables", kElYaniv, "cost", "dense", BookUse::coded, false, false, true},
    MachineInfo{"ww", "Weston and Watkins: one SVM, a margin between the own class and each other",
                "a quadratic program of n(L-1) variables", "Weston, Watkins 1999; Rifkin 2008", "cost", "indicator",
                BookUse::own, true, false, true},
    MachineInfo{"cs", "Crammer and Singer: one SVM, a margin between the own class and the best other",
                "a quadratic program of n(L-1) variables", "Crammer, Singer 2001; Rifkin 2008", "cost", "indicator",
                BookUse::own, false, false, true},
    MachineInfo{"llw", "Lee, Lin and Wahba: one SVM whose outputs sum to zero",
                "a quadratic program of n(L-1) variables", "Lee, Lin, Wahba 2004; Rifkin 2008", "ridge", "indicator",
                BookUse::own, false, false, true}};

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

void check(const MachineInfo& info, const LabelSpace& labels, bool bias) {
  const Labelbook& book = labels.book;
  if (bias && !info.bias) {
    const bool own = info.name.starts_with("svm-") || (info.program && info.name.starts_with("sbc-"));
    throw ConfigError(
        fmt::format("{} {}; leave --bias out", info.name, own ? "has a bias in any case" : "has no bias term"));
  }
  if (labels.own_kernel && !info.label_kernel) {
    throw ConfigError(fmt::format(
        "{} trains plain binary problems and takes no --label-kernel; onelsm, the vector-output machines and sbc-ls do",
        info.name));
  }
  if (bias && (info.name == "vo-lssvm" || info.name == "vo-svm") && (labels.own_kernel || !book.centred())) {
    throw ConfigError(
        fmt::format("{} with a bias needs codewords that sum to 0, those of {} do not: its bias alone would fit "
                    "every row and "
                    "all scores tie; use --labelbook mincorr, alignment or consistency, or leave --bias out",
                    info.name, labels.own_kernel ? "a label kernel" : book.name));
  }
  if (info.books == BookUse::any && is_code(book.name) && !labels.own_kernel && !same_norms(book)) {
    throw ConfigError(
        fmt::format("the codewords of {} have different lengths, and {} would favour the long ones; use a book such as "
                    "indicator, or "
                    "--machine ls-ecoc with a code of -1, 0 and 1 such as dense or sparse",
                    book.name, info.name));
  }
  if (info.books == BookUse::coded && !has_code_entries(book)) {
    throw ConfigError(
        fmt::format("{} needs a code with entries -1, 0 and 1, labelbook {} has others; use dense, sparse, complete, "
                    "bch, ova or ava",
                    info.name, book.name));
  }
  if (info.books == BookUse::coded && !opposes_in_every_column(book)) {
    throw ConfigError(
        fmt::format("{} trains every column as a problem of 1 against -1, and {} has columns without one of them; use "
                    "dense, sparse, "
                    "complete, bch, ova or ava",
                    info.name, book.name));
  }
}

}  // namespace

std::span<const MachineInfo> machines() { return kMachines; }

const MachineInfo& machine_from_name(std::string_view name) { return named(machines(), name, "machine"); }

std::unique_ptr<Machine> make_machine(std::string_view name, LabelSpace labels, bool bias, SolverChoice solver) {
  const MachineInfo& info = machine_from_name(name);
  check(info, labels, bias);
  if (name == "msvr") throw ConfigError("msvr is trained on columns of kernel values, not on a kernel matrix");
  const double tolerance = solver.accuracy.value_or(1e-3);
  if (name == "vo-lssvm") return std::make_unique<VoLssvm>(std::move(labels), bias);
  if (name == "vo-rls-beta") return std::make_unique<VoRls>(std::move(labels), VoRlsPenalty::coefficients);
  if (name == "vo-rls-f") return std::make_unique<VoRls>(std::move(labels), VoRlsPenalty::function);
  if (name == "ls-ova") return std::make_unique<LsOva>(std::move(labels), bias);
  if (name == "ls-ovo") return std::make_unique<LsOvo>(std::move(labels));
  if (name == "ls-ecoc") return std::make_unique<LsEcoc>(std::move(labels));
  if (name == "sbc-ls") return std::make_unique<SbcLs>(std::move(labels));
  if (name == "vo-svm") return std::make_unique<VoSvm>(std::move(labels), bias, tolerance);
  if (name == "svm-ova") return std::make_unique<SvmEcoc>(std::move(labels), true, bias, tolerance);
  if (name == "svm-ecoc") return std::make_unique<SvmEcoc>(std::move(labels), false, bias, tolerance);
  if (name == "svm-ovo" || name == "svm-dag")
    return std::make_unique<SvmEcoc>(std::move(labels), false, true, tolerance);
  if (name == "sbc-single") return std::make_unique<SbcSvm>(std::move(labels), SbcKind::single, tolerance);
  if (name == "sbc-identity") return std::make_unique<SbcSvm>(std::move(labels), SbcKind::identity, tolerance);
  if (name == "sbc-kernel")
    return std::make_unique<SbcSvm>(std::move(labels), SbcKind::kernel, tolerance, solver.learning);
  if (name == "sbc-ecoc") return std::make_unique<SbcSvm>(std::move(labels), SbcKind::ecoc, tolerance);
  if (name == "ww") return std::make_unique<SingleSvm>(std::move(labels), SingleKind::ww, bias, tolerance);
  if (name == "cs") return std::make_unique<SingleSvm>(std::move(labels), SingleKind::cs, false, tolerance);
  if (name == "llw") return std::make_unique<SingleSvm>(std::move(labels), SingleKind::llw, false, tolerance);
  return std::make_unique<OneLsm>(std::move(labels), bias, solver);
}

}  // namespace manyone
