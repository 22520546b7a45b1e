// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/front.hpp"

namespace {

using namespace manyone::cli;

constexpr std::array kCommands = {Command{"fit", add_fit},
                                  Command{"predict", add_predict},
                                  Command{"evaluate", add_evaluate},
                                  Command{"tune", add_tune},
                                  Command{"compare", add_compare},
                                  Command{"report", add_report},
                                  Command{"reproduce", add_studies},
                                  Command{"inspect", add_inspect},
                                  Command{"export", add_export},
                                  Command{"import", add_import},
                                  Command{"convert", add_convert},
                                  Command{"machines", add_machines},
                                  Command{"labelbooks", add_labelbooks},
                                  Command{"kernels", add_kernels},
                                  Command{"parameters", add_parameters},
                                  Command{"datasets", add_datasets},
                                  Command{"completion", add_completion, true},
                                  Command{"manual", add_manual, true}};

}  // namespace

int main(int argc, char** argv) { return run_program({argv, static_cast<std::size_t>(argc)}, kCommands); }
