// SPDX-License-Identifier: BSD-3-Clause
// The names that a user may write for the function of a region. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// "void space::fill<int>(int)" gives space, fill. Lambdas at the end are left out, too.
std::vector<std::string> parts_of_name(std::string_view demangled);

// A function's name as in the source. For Fortran: the procedure's name without its module.
std::string plain_name(const std::string& name);

// Whether a rule's name means this function: "fill", "space::fill", or the beginning of its symbol.
bool is_meant_by(std::string_view name, const std::string& demangled, std::string_view symbol);

}  // namespace nestbind::cli
