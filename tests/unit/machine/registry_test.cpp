// SPDX-License-Identifier: Apache-2.0
#include "machine/registry.hpp"

#include <map>
#include <set>
#include <string>
#include <typeinfo>

#include <gtest/gtest.h>

#include "decoder/decoder.hpp"
#include "machine/ls_ecoc.hpp"
#include "machine/onelsm.hpp"
#include "machine/reduced_code.hpp"
#include "machine/reduced_sbc.hpp"
#include "machine/reduced_vo.hpp"
#include "machine/sbc_ls.hpp"
#include "machine/sbc_svm.hpp"
#include "machine/single_svm.hpp"
#include "machine/svm_ecoc.hpp"
#include "machine/vo_lssvm.hpp"
#include "machine/vo_rls.hpp"
#include "machine/vo_svm.hpp"
#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

constexpr int kClasses = 3;

std::unique_ptr<Machine> made(const MachineEntry& entry, bool bias = false) {
  const bool centred = bias && entry.bias == BiasUse::with_centred_books;
  return make_machine(entry, {plain_labels(centred ? "mincorr" : std::string(entry.usual_book), kClasses), bias, {}});
}

/// Sums over a few rows for a machine with all of them as centres.
std::unique_ptr<ReducedMachine> on_columns(const MachineEntry& entry) {
  static const Features rows(random_matrix(9, 2, 3));
  static std::vector<std::unique_ptr<KernelColumns>> kept;  // machines refer to their columns
  static std::vector<std::unique_ptr<GroupedSums>> sums;
  const std::vector<int> labels = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  const Kernel gaussian;
  kept.push_back(std::make_unique<KernelColumns>(gaussian, rows, labels));
  KernelColumns& columns = *kept.back();
  const LabelSpace space = plain_labels(std::string(entry.usual_book), kClasses);
  ColumnChoices choices{runtime().execution(),
                        {entry.usual_penalty, false, {}},
                        space,
                        {},
                        false,
                        columns,
                        *sums.emplace_back(std::make_unique<GroupedSums>()),
                        Vector::Zero(9)};
  if (entry.on_kernel != nullptr) {
    const OutputCode outputs = made(entry)->output_code();
    if (outputs.meaning == OutputMeaning::columns) {
      columns.keep_classes_apart();
      choices.trained_code = outputs.code;
    }
  }
  return entry.on_columns(std::move(choices));
}

TEST(Registry, NamesReadBackAndUnknownOnesSuggest) {
  for (const MachineEntry& entry : machines()) EXPECT_EQ(machine_from_name(entry.name).name, entry.name);
  expect_contains(message_of([] { machine_from_name("onelms"); }), "did you mean 'onelsm'");
  expect_complaint([] { machine_from_name("tree"); }, Fault::usage, "machine", "machines are onelsm");
}

TEST(Registry, EveryEntrySaysWhatItIsAndCanBeMade) {
  std::set<std::string_view> names;
  for (const MachineEntry& entry : machines()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    for (const std::string_view text : {entry.summary, entry.cost, entry.source, entry.usual_book}) EXPECT_NE(text, "");
    EXPECT_TRUE(entry.parameter == "ridge" || entry.parameter == "cost");
    EXPECT_TRUE(entry.on_kernel != nullptr || entry.on_columns != nullptr);
    EXPECT_NO_THROW(decoder_from_name(entry.usual_decoder));
  }
}

TEST(Registry, EveryEntryMakesItsOwnMachine) {
  const std::map<std::string_view, const std::type_info*> types = {
      {"onelsm", &typeid(OneLsm)},     {"ls-ova", &typeid(LsOva)},      {"vo-lssvm", &typeid(VoLssvm)},
      {"vo-rls-beta", &typeid(VoRls)}, {"vo-rls-f", &typeid(VoRls)},    {"ls-ovo", &typeid(LsOvo)},
      {"ls-ecoc", &typeid(LsEcoc)},    {"sbc-ls", &typeid(SbcLs)},      {"vo-svm", &typeid(VoSvm)},
      {"svm-ova", &typeid(SvmEcoc)},   {"svm-ovo", &typeid(SvmEcoc)},   {"svm-dag", &typeid(SvmEcoc)},
      {"svm-ecoc", &typeid(SvmEcoc)},  {"sbc-single", &typeid(SbcSvm)}, {"sbc-identity", &typeid(SbcSvm)},
      {"sbc-kernel", &typeid(SbcSvm)}, {"sbc-ecoc", &typeid(SbcSvm)},   {"ww", &typeid(SingleSvm)},
      {"cs", &typeid(SingleSvm)},      {"llw", &typeid(SingleSvm)}};
  for (const MachineEntry& entry : machines()) {
    SCOPED_TRACE(entry.name);
    if (entry.on_kernel == nullptr) {
      expect_complaint([&] { made(entry); }, Fault::usage, "machine", "use centers");
      continue;
    }
    ASSERT_TRUE(types.contains(entry.name)) << "a new machine: say here what it is";
    const auto machine = made(entry);
    EXPECT_TRUE(typeid(*machine) == *types.at(entry.name));
  }
}

TEST(Registry, MachinesThatShareATypeDifferInWhatTheyFind) {
  // Each is trained on the same rows: no two may be the same machine under two names,
  // but for one-vs-one, where only the decoder differs.
  const Features rows(random_matrix(24, 2, 5));
  LabelledRows labelled{{}, kClasses, {}};
  for (int i = 0; i < 24; ++i) labelled.labels.push_back(i % kClasses);
  const Execution execution = runtime().execution();
  std::map<std::string, std::string> seen;
  for (const MachineEntry& entry : machines()) {
    if (entry.on_kernel == nullptr) continue;
    SCOPED_TRACE(entry.name);
    const auto machine = made(entry);
    const Coefficients found = machine->fit(execution, FeatureGram(execution, Kernel{}, rows), labelled, 0.5);
    const Decoder decoder = make_decoder(entry, machine->output_code(), {});
    std::string signature = std::string(typeid(*machine).name()) + std::string(decoder.entry->name);
    for (Index i = 0; i < found.A.size(); ++i) signature += std::to_string(found.A.data()[i]) + " ";
    const auto [place, fresh] = seen.emplace(signature, entry.name);
    EXPECT_TRUE(fresh) << "the same as " << place->second;
  }
}

TEST(Registry, OnColumnsEveryEntryMakesItsOwnMachine) {
  const std::map<std::string_view, const std::type_info*> types = {
      {"onelsm", &typeid(Msvr)},           {"ls-ova", &typeid(Msvr)},        {"msvr", &typeid(Msvr)},
      {"ls-ovo", &typeid(ReducedCode)},    {"ls-ecoc", &typeid(Msvr)},       {"vo-lssvm", &typeid(ReducedVo)},
      {"vo-rls-beta", &typeid(ReducedVo)}, {"vo-rls-f", &typeid(ReducedVo)}, {"sbc-ls", &typeid(ReducedSbc)}};
  for (const MachineEntry& entry : machines()) {
    SCOPED_TRACE(entry.name);
    ASSERT_EQ(entry.on_columns != nullptr, types.contains(entry.name));
    if (entry.on_columns == nullptr) continue;
    const auto machine = on_columns(entry);
    EXPECT_TRUE(typeid(*machine) == *types.at(entry.name));
  }
}

TEST(Registry, ABiasIsTakenAsTheEntrySays) {
  for (const MachineEntry& entry : machines()) {
    SCOPED_TRACE(entry.name);
    if (entry.takes_bias()) {
      EXPECT_NO_THROW(made(entry, true));
      EXPECT_NO_THROW(require_bias_fits(entry, true));
    } else {
      expect_complaint([&] { require_bias_fits(entry, true); }, Fault::usage, "bias", "leave bias out");
      const std::string message = message_of([&] { require_bias_fits(entry, true); });
      expect_contains(message, entry.bias == BiasUse::always ? "has a bias in any case" : "has no bias term");
    }
  }
}

}  // namespace
}  // namespace manyone::test
