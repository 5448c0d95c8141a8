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
  int quota = 0;  // of threads in sizes that are words; 0: none
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

// Reads the list. Says what is wrong with another text.
std::optional<std::vector<int>> read_processors(const std::string& list);

// Those of a list, ascending, that a machine does not have or does not allow ("processors 2-99",
// "processor 5"); empty: it has all.
std::string missing_processors(const std::vector<int>& wanted, const machine::Hardware& hardware);

// The processors that this process may use, ascending; none if the kernel does not tell.
std::optional<std::vector<int>> own_processors();

// Lets this process use these and no others, as taskset does. Says which of them it may not use,
// and returns false.
bool confine_to(const std::vector<int>& cpus, const std::string& list);

}  // namespace nestbind::cli
