// SPDX-License-Identifier: BSD-3-Clause
// The command's SPEC argument.
#pragma once

#include <string>

#include "show/canonical.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

// Reads a specification. Of a bad one it says what is wrong, and where, and returns false.
bool read_specification(const std::string& text, spec::Spec& spec);

using show::canonical;

// Whether it has a symbolic size, which only a machine can make a number.
bool is_symbolic(const spec::Spec& spec);

}  // namespace nestbind::cli
