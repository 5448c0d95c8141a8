// SPDX-License-Identifier: BSD-3-Clause
// Options that several subcommands have, and where their values come from.
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

// The argument SPEC.
inline constexpr char kSpecOrAutoHelp[] =
    "Binding specification, such as 4,scatter,2,subcompact; by default OMP_NESTING_TEAM_SIZE, or "
    "auto; with --schedule or --memory alone nothing is bound";
inline constexpr char kSpecOrVariableHelp[] =
    "Binding specification, such as 4,scatter,2,subcompact; by default OMP_NESTING_TEAM_SIZE";
CLI::Option* add_spec(CLI::App& command, std::string& spec, const char* help);
// As it was typed, or OMP_NESTING_TEAM_SIZE where it is empty.
void complete_spec(std::string& spec);

// The option of a variable of options::kTable that has one.
void add_variable_option(CLI::App& command, int variable, std::string& value);

void add_cpus(CLI::App& command, std::string& cpus, const char* help);
void add_library(CLI::App& command, std::string& library);

// --format with these words, and --json for it, which is older and not in the help.
void add_format(CLI::App& command, std::string& format,
                const char* help = "text (the default) or json",
                const std::vector<std::string>& words = {"text", "json"});

// --output FILE, in place of the standard output.
void add_output(CLI::App& command, Call& call);

// The machine that is planned for, in place of this one, and what may be used of it: --machine,
// --cpus, --smt, --cores and --distances.
struct MachineOptions {
  std::string machine;    // XML file or synthetic description; empty: this machine
  std::string cpus;       // list; empty: this process's, or with a machine all of it
  std::string smt;        // as NESTBIND_SMT; empty: as many as wanted
  std::string cores;      // as NESTBIND_CORES; empty: auto
  std::string distances;  // as NESTBIND_MACHINE_DISTANCES; empty: firmware
  int quota = 0;          // in processors; 0: this process's, or with a machine none
};
void add_machine_options(CLI::App& command, MachineOptions& options);

// Fills in from the variables what was not given. Whether all is good; says what is not.
bool complete(MachineOptions& options);

// An empty value is as of a variable that is not set.
using inspect::variable;

// Whether an option's value, or without one its variable's, is good; says what is wrong otherwise.
// A variable's value becomes the option's. number: of options::kTable.
bool complete(int number, std::string& value);

}  // namespace nestbind::cli
