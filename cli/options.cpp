// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options.hpp"

#include <cstdlib>

#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

constexpr char kMachineNames[] = "--machine,--topology";

// A variable of the shell's may have been meant to fill it in.
constexpr char kNoValue[] = "no value";

}  // namespace

void add_variable_option(const Subcommand& command, int variable, std::string& value) {
  const options::Option& option = options::kTable[variable].option;
  const std::string name = variable == options::kMachine ? kMachineNames : option.name;
  if (option.bare != nullptr) {
    command.option_with_bare(name.c_str(), option.bare, value, option.help);
  } else {
    command.option(name.c_str(), value, option.value, option.help, kNoValue);
  }
}

void add_cpus(const Subcommand& command, std::string& cpus, const char* help) {
  command.option("--cpus", cpus, "LIST", help, "no processors");
}

void add_library(const Subcommand& command, std::string& library) {
  command.option("--library", library, "PATH", "libnestbind.so to preload", kNoValue);
}

void add_machine_options(const Subcommand& command, MachineOptions& options) {
  command.option(kMachineNames, options.machine, "XML-FILE|SYNTHETIC",
                 "hwloc XML file, or synthetic description; by default NESTBIND_MACHINE, or this "
                 "machine",
                 kNoValue);
  add_cpus(command, options.cpus,
           "Processors that may be used, such as 0-3,8; by default this process's, or all of "
           "the machine that is named");
  add_variable_option(command, options::kSmt, options.smt);
  add_variable_option(command, options::kCores, options.cores);
  add_variable_option(command, options::kDistances, options.distances);
}

bool complete(MachineOptions& options) {
  return complete(options::kSmt, options.smt) && complete(options::kCores, options.cores) &&
         complete(options::kMachine, options.machine) &&
         complete(options::kDistances, options.distances);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool complete(int number, std::string& value) {
  const auto& [rule, unset, option] = options::kTable[number];
  const bool is_option = !value.empty();
  value = is_option ? value : variable(rule.name);
  const std::string fault = value.empty() ? "" : fault_of(rule, value);
  const bool has_lines =
      number == options::kSchedule || number == options::kMemory || number == options::kOrder;
  if (!fault.empty() && has_lines) {
    say_printable((is_option ? std::string(option.name) : rule.name) + ": " + fault);
  } else if (!fault.empty()) {
    say("{}{}: {}", is_option ? std::string(option.name) + " " : std::string(rule.name) + "=",
        value, fault);
  }
  return fault.empty();
}

}  // namespace nestbind::cli
