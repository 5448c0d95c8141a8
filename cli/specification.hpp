// SPDX-License-Identifier: BSD-3-Clause
// The command's SPEC argument.
#pragma once

#include <string>

#include "spec/spec.hpp"

namespace nestbind::cli {

// Reads a specification. Of a bad one it says what is wrong, and where, and returns false.
bool read_specification(const std::string& text, spec::Spec& spec);

// The canonical text.
std::string canonical(const spec::Spec& spec);

// The canonical text of one level ("4,subscatter").
std::string canonical(const spec::Level& level);

// Whether it has a symbolic size, which only a machine can make a number.
bool is_symbolic(const spec::Spec& spec);

}  // namespace nestbind::cli
