// SPDX-License-Identifier: BSD-3-Clause
// nestbind suggest: the specifications that are worth trying.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace nestbind::cli {

struct SuggestOptions {
  std::string shape;  // "4x4", the outermost first; empty: none known
  MachineOptions machine;
  std::string format = "text";
};

// Reads a shape ("4x4", "16", "2x2x4"): sizes of levels, from 1 on. None where it is none.
std::optional<std::vector<int>> read_shape(const std::string& text);

// Returns the exit status: a failure too where there is nothing to suggest.
int suggest_command(const SuggestOptions& options);

}  // namespace nestbind::cli
