// SPDX-License-Identifier: BSD-3-Clause
// The variables that concern binding: nestbind's own, and those of others that compete.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/findings.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

// What is wrong with a variable's value ("expected 0 or 1"); empty if nothing is. More than the
// library complains of: a sign that it does not know in the name of a file stands for itself there.
std::string fault_of(const options::Rule& rule, const std::string& value);

using Variables = std::vector<std::pair<std::string, std::string>>;

// Of this process.
Variables own_variables();

// Looks at a process's variables. A bad value of nestbind's own is a problem.
void examine_environment(const Variables& variables, Findings& findings);

// The names of all variables that nestbind reads.
std::vector<std::string> known_variables();

// Warns of each variable of this process that nobody reads and whose name is near to one that
// somebody does.
void warn_of_unknown_variables();

// OMP_TOOL=disabled, or what LLVM's and Intel's runtimes do not know: they start no tool.
bool tools_are_disabled();

}  // namespace nestbind::cli
