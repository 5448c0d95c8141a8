// SPDX-License-Identifier: BSD-3-Clause
// The machine, what this process may use of it, and the one that the words of a subcommand ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/usual_options.hpp"
#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"

namespace nestbind::cli {

struct AskedMachine {
  machine::Topology topology;
  machine::Hardware hardware;               // what it was made of
  std::optional<std::vector<int>> allowed;  // and for
  int smt = 0;                              // slots a core; 0: as many as wanted
  machine::CoreChoice cores = machine::CoreChoice::kAuto;
};

// Reads it. Says what is wrong otherwise, and fills in the exit status. options: complete.
std::optional<AskedMachine> read_asked_machine(const MachineOptions& options, int& status);

// Reads by the library's own module: hwloc is not loaded where it is not needed. library: the file
// libnestbind.so, which has its modules beside it. source and what is thrown: as of
// machine::hwloc::read_hardware().
machine::Hardware read_machine(const std::string& library, const std::string& source);

// Of the library, its file libnestbind-topology.so.
std::string topology_module(const std::string& library);

// The same as what may be used of it. allowed and what is thrown besides: as of Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::cli
