// SPDX-License-Identifier: BSD-3-Clause
// The names that a user may write for the function of a region.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// Returns "space" and "fill" for "void space::fill<int>(int)". Leaves out lambdas at the end.
std::vector<std::string> parts_of_name(std::string_view demangled);

// Removes the module from a Fortran name.
std::string plain_name(const std::string& name);

// True if a user may write `name` for the function. "fill" and "space::fill" are names of "void
// space::fill<int>(int)". `symbol` is a name, too.
bool is_meant_by(std::string_view name, const std::string& demangled, std::string_view symbol);

}  // namespace nestbind::cli
