// SPDX-License-Identifier: BSD-3-Clause
// Options of several subcommands, and the variables that can replace them.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/text.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace nestbind::cli {

struct Call;

inline constexpr char kSpecOrAutoHelp[] =
    "Binding specification, such as 4,scatter,2,subcompact; by default OMP_NESTING_TEAM_SIZE, or "
    "auto; with --schedule or --memory alone nothing is bound";
inline constexpr char kSpecOrVariableHelp[] =
    "Binding specification, such as 4,scatter,2,subcompact; by default OMP_NESTING_TEAM_SIZE";
CLI::Option* add_spec(CLI::App& command, std::string& spec, const char* help);
// If `spec` is empty, sets it to OMP_NESTING_TEAM_SIZE.
void complete_spec(std::string& spec);

void add_variable_option(CLI::App& command, int variable, std::string& value);

void add_cpus(CLI::App& command, std::string& cpus, const char* help);
void add_library(CLI::App& command, std::string& library);

// Adds --format with these words, and the older --json, which the help does not show.
void add_format(CLI::App& command, std::string& format,
                const char* help = "text (the default) or json",
                const std::vector<std::string>& words = {"text", "json"});

// The file replaces the standard output.
void add_color(CLI::App& command, std::string& color);
void add_output(CLI::App& command, Call& call);

struct MachineOptions {
  std::string machine;  // XML file or synthetic description; if empty, this machine
  std::string cpus;     // a list of processors; may be empty
  std::string smt;      // a value of NESTBIND_SMT
  std::string cores;    // a value of NESTBIND_CORES
  std::string distances;
  int quota = 0;              // in processors; 0 if not set
  bool with_devices = false;  // whether to read I/O devices, which takes long
};
void add_machine_options(CLI::App& command, MachineOptions& options);

// Takes missing values from the variables. If values are wrong, says which, and returns false.
bool complete(MachineOptions& options);

using inspect::variable;

// If `value` is empty, takes it from variable `number` of kTable. False if the value is wrong.
bool complete(int number, std::string& value);

}  // namespace nestbind::cli
