// SPDX-License-Identifier: BSD-3-Clause
// Options that several subcommands have, and where their values come from.
#pragma once

#include <string>

#include "cli/subcommand.hpp"

namespace nestbind::cli {

inline constexpr char kSpecHelp[] = "Binding specification, such as 4,scatter,2,subcompact";

// The option of a variable of options::kTable that has one.
void add_variable_option(const Subcommand& command, int variable, std::string& value);

void add_cpus(const Subcommand& command, std::string& cpus, const char* help);
void add_library(const Subcommand& command, std::string& library);

// The machine that is planned for, in place of this one, and what may be used of it: --machine,
// --cpus, --smt, --cores and --distances.
struct MachineOptions {
  std::string machine;    // XML file or synthetic description; empty: this machine
  std::string cpus;       // list; empty: this process's, or with a machine all of it
  std::string smt;        // as NESTBIND_SMT; empty: as many as wanted
  std::string cores;      // as NESTBIND_CORES; empty: auto
  std::string distances;  // as NESTBIND_MACHINE_DISTANCES; empty: firmware
};
void add_machine_options(const Subcommand& command, MachineOptions& options);

// Fills in from the variables what was not given. Whether all is good; says what is not.
bool complete(MachineOptions& options);

// A variable's value; an empty one is as one that is not set.
std::string variable(const char* name);

// Whether an option's value, or without one its variable's, is good; says what is wrong otherwise.
// A variable's value becomes the option's. number: of options::kTable.
bool complete(int number, std::string& value);

}  // namespace nestbind::cli
