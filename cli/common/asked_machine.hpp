// SPDX-License-Identifier: BSD-3-Clause
// The machine that a subcommand's words ask for, and what this process may use of this machine.
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
  machine::Hardware hardware;               // that the topology was made of
  std::optional<std::vector<int>> allowed;  // the processors that the topology was made for
  int smt = 0;                              // slots per core; 0: as many as the plan needs
  machine::CoreChoice cores = machine::CoreChoice::kAuto;
  int quota = 0;  // limit of threads for symbolic sizes; 0: none
};

// Reads the machine. Otherwise says what is wrong, and sets the exit status. options: complete.
std::optional<AskedMachine> read_asked_machine(const MachineOptions& options, int& status);

// Reads the machine by a module next to `library` (libnestbind.so): hwloc is loaded only if it is
// needed. source and exceptions: as for machine::hwloc::read_hardware().
machine::Hardware read_machine(const std::string& library, const std::string& source);

// The path of the library's module libnestbind-topology.so.
std::string topology_module(const std::string& library);

// Reads the usable part of a machine. allowed and further exceptions: as for Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

// Reads a list of processors. Says what is wrong with any other text.
std::optional<std::vector<int>> read_processors(const std::string& list);

// The wanted processors that are missing or not allowed: "processors 2-99"; empty: none are.
std::string missing_processors(const std::vector<int>& wanted, const machine::Hardware& hardware);

// The processors that this process may use, ascending; none if the kernel does not say.
std::optional<std::vector<int>> own_processors();

// Restricts this process to these processors. Says which may not be used, and returns false.
bool confine_to(const std::vector<int>& cpus, const std::string& list);

}  // namespace nestbind::cli
