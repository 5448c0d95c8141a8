// SPDX-License-Identifier: BSD-3-Clause
// Runs SCOTCH in another process (lib/planner/mapping/scotch), because SCOTCH may end its process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// The path of the SCOTCH program, next to the modules of libnestbind.so; empty if it was not built.
std::string find_scotch(const std::string& library);

// SCOTCH's answer: `count` numbers from 0 to `most`. what: kMap or kDivide of scotch_border.hpp.
// Not set if the program cannot start (its library may be missing), or if its answer is wrong.
std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count, int most);

}  // namespace nestbind::cli
