// SPDX-License-Identifier: BSD-3-Clause
// SCOTCH, which is asked in a process of its own (lib/mapping/scotch).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/target.hpp"

namespace nestbind::cli::map {

// The program, beside the modules of the library libnestbind.so; empty where it was not built.
std::string find_scotch(const std::string& library);

// What it answers for a team: the seat of each member. None where it cannot be started, which is so
// without SCOTCH's own library, and where it fails.
std::optional<std::vector<int>> ask_scotch(const std::string& program,
                                           const mapping::Target& target);

}  // namespace nestbind::cli::map
