// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/usual_options.hpp"

#include "cli/command_line.hpp"
#include "cli/common/environment.hpp"
#include "cli/common/say.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

constexpr char kMachineNames[] = "--machine,--topology";

}  // namespace

CLI::Option* add_spec(CLI::App& command, std::string& spec, const char* help) {
  return add_option(command, "SPEC", "", spec, help);
}

void complete_spec(std::string& spec) {
  unshield(spec);
  spec = spec.empty() ? variable(options::kSpecification) : spec;
}

void add_variable_option(CLI::App& command, int variable, std::string& value) {
  const options::Option& option = options::kTable[variable].option;
  const std::string name = variable == options::kMachine ? kMachineNames : option.name;
  if (option.bare != nullptr) {
    command.add_flag(fmt::format("{}{{{}}}", name, option.bare), value, option.help);
  } else {
    command.add_option(name, value, option.help)->type_name(option.value)->check(not_empty());
  }
}

void add_cpus(CLI::App& command, std::string& cpus, const char* help) {
  add_option(command, "--cpus", "LIST", cpus, help)->check(not_empty("no processors"));
}

void add_library(CLI::App& command, std::string& library) {
  add_option(command, "--library", "PATH", library, "libnestbind.so to preload")
      ->check(not_empty());
}

void add_format(CLI::App& command, std::string& format, const char* help,
                const std::vector<std::string>& words) {
  add_option(command, "--format", "FORMAT", format, help)->check(one_of(words));
  command.add_flag_callback("--json", [&format] { format = "json"; })->group("");
}

void add_color(CLI::App& command, std::string& color) {
  add_option(
      command, "--color", "WHEN", color,
      "always, never or auto: colours in pictures; auto, the default, means on a terminal or "
      "with CLICOLOR_FORCE, and not with NO_COLOR")
      ->check(one_of({"always", "auto", "never"}));
}

void add_output(CLI::App& command, Call& call) {
  add_option(command, "--output", "FILE", call.output,
             "Write to this file; by default to the standard output")
      ->check(not_empty());
}

void add_machine_options(CLI::App& command, MachineOptions& options) {
  add_option(command, kMachineNames, "XML-FILE|SYNTHETIC", options.machine,
             "hwloc XML file, or synthetic description; by default NESTBIND_MACHINE, or this "
             "machine")
      ->check(not_empty());
  add_cpus(command, options.cpus,
           "Processors that may be used, such as 0-3,8; by default all that this process may use; "
           "with --machine, all of the machine");
  add_variable_option(command, options::kSmt, options.smt);
  add_variable_option(command, options::kCores, options.cores);
  add_variable_option(command, options::kDistances, options.distances);
}

bool complete(MachineOptions& options) {
  return complete(options::kSmt, options.smt) && complete(options::kCores, options.cores) &&
         complete(options::kMachine, options.machine) &&
         complete(options::kDistances, options.distances);
}

bool complete(int number, std::string& value) {
  const auto& [rule, unset, option] = options::kTable[number];
  const bool is_option = !value.empty();
  value = is_option ? value : variable(rule.name);
  const std::string fault = value.empty() ? "" : fault_of(rule, value);
  const bool has_lines = number == options::kSchedule || number == options::kMemory ||
                         number == options::kOrder || number == options::kRegionRules;
  if (!fault.empty() && has_lines) {
    say_printable((is_option ? std::string(option.name) : rule.name) + ": " + fault);
  } else if (!fault.empty()) {
    say("{}{}: {}", is_option ? std::string(option.name) + " " : std::string(rule.name) + "=",
        value, fault);
  }
  return fault.empty();
}

}  // namespace nestbind::cli
