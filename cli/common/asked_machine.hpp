// SPDX-License-Identifier: BSD-3-Clause
// The machine that the options of a subcommand name, and the usable processors of the machine.
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
  machine::Hardware hardware;
  std::optional<std::vector<int>> allowed;
  int smt = 0;  // slots per core; 0 for as many as the plan needs
  machine::CoreChoice cores = machine::CoreChoice::kAuto;
  int quota = 0;  // the most threads that symbolic sizes may make (CPU quota); 0 for no limit
};

// If the machine cannot be read, says why and sets the exit status. Call complete() first.
std::optional<AskedMachine> read_asked_machine(const MachineOptions& options, int& status);

// Reads a machine through the module next to `library` (libnestbind.so), so that hwloc is loaded
// only on use. `source` and the exceptions are those of machine::hwloc::read_hardware().
machine::Hardware read_machine(const std::string& library, const std::string& source,
                               bool with_devices = false);

// Reads a machine with its I/O devices. If it is this machine, uses the cache of the planner.
machine::Hardware find_machine_with_devices(const std::string& library, const std::string& source);

// Returns the path of a module that libnestbind.so (`library`) loads.
std::string beside(const std::string& library, const std::string& module);

// The path of libnestbind-topology.so, which is next to the library.
std::string topology_module(const std::string& library);

// `allowed` and the exceptions are those of Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

// If the text is not a list, says what is wrong.
std::optional<std::vector<int>> read_processors(const std::string& list);

// Returns the missing or forbidden processors, as "processors 2-99"; or "".
std::string missing_processors(const std::vector<int>& wanted, const machine::Hardware& hardware);

// Not set if the kernel does not list them.
std::optional<std::vector<int>> own_processors();

// If a processor is not allowed, says so and returns false. asked: the option, for the message.
bool confine_to(const std::vector<int>& cpus, const std::string& asked);

}  // namespace nestbind::cli
