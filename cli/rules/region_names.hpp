// SPDX-License-Identifier: BSD-3-Clause
// The names that a user may write for the function of a region.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

// Returns "space" and "fill" for "void space::fill<int>(int)", and "fluid" and "solve" for a
// Fortran compiler's symbol such as "__fluid_MOD_solve". Leaves out lambdas at the end.
std::vector<std::string> parts_of_name(const std::string& demangled);

// True if a user may write `name` for the function of a region. "fill" and "space::fill" are names
// of "void space::fill<int>(int)". `symbol` is a name, too. In a name of Fortran, case does not
// matter, and "fluid%solve" means "fluid::solve".
bool is_meant_by(const std::string& name, const std::string& demangled, const std::string& symbol,
                 bool is_fortran);

}  // namespace nestbind::cli
