// SPDX-License-Identifier: BSD-3-Clause
// The machine that the words of a subcommand ask for.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "machine/topology.hpp"

namespace nestbind::cli {

struct AskedMachine {
  machine::Topology topology;
  int smt = 0;  // slots a core; 0: as many as wanted
  machine::CoreChoice cores = machine::CoreChoice::kAuto;
};

// Reads it. Says what is wrong otherwise, and fills in the exit status. options: complete.
std::optional<AskedMachine> read_asked_machine(const MachineOptions& options, int& status);

}  // namespace nestbind::cli
