// SPDX-License-Identifier: BSD-3-Clause
// The variables that concern binding: nestbind's own, and those of others that compete.
#pragma once

#include <string>
#include <string_view>

#include "cli/findings.hpp"

namespace nestbind::cli {

// What is wrong with a value of one of nestbind's own variables ("expected 0 or 1"); empty if
// nothing is, or if nestbind has no such variable.
std::string fault_of(std::string_view name, std::string_view value);

// Looks at the variables of this process. A bad value of nestbind's own is a problem.
void examine_environment(Findings& findings);

// OMP_TOOL=disabled: LLVM's and Intel's runtimes start no tool.
bool tools_are_disabled();

}  // namespace nestbind::cli
