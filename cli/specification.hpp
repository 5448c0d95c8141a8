// SPDX-License-Identifier: BSD-3-Clause
// The command's SPEC argument.
#pragma once

#include <string>

#include "spec/spec.hpp"

namespace nestbind::cli {

// Reads a specification. Returns what is wrong with a bad one, and where; empty for a good one.
std::string parse(const std::string& text, spec::Spec& spec);

// The same, but says it, and returns whether it is good.
bool read_specification(const std::string& text, spec::Spec& spec);

}  // namespace nestbind::cli
