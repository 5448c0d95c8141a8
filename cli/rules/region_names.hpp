// SPDX-License-Identifier: BSD-3-Clause
// The names that a user may write for the function of a region.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// Returns "space" and "fill" for "void space::fill<int>(int)". Leaves out lambdas at the end.
std::vector<std::string> parts_of_name(std::string_view demangled);

// For Fortran, leaves out the module.
std::string plain_name(const std::string& name);

// Whether a rule's name means the function: "fill", "space::fill", or the start of the symbol.
bool is_meant_by(std::string_view name, const std::string& demangled, std::string_view symbol);

}  // namespace nestbind::cli
