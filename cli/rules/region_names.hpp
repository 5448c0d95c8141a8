// SPDX-License-Identifier: BSD-3-Clause
// How a user may name the function of a region. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli {

// The parts of a demangled name, outermost first, without arguments, templates and what a function
// returns: "void space::fill<int>(int)" is space, fill. Lambdas that it ends with are left out.
std::vector<std::string> parts_of_name(std::string_view demangled);

// A function's name, as its source has it: of Fortran's the procedure alone.
std::string plain_name(const std::string& name);

// Whether a rule's name means this function, whose symbol begins so: "fill", "space::fill", or as
// the compiler has named it.
bool is_meant_by(std::string_view name, const std::string& demangled, std::string_view symbol);

}  // namespace nestbind::cli
