// SPDX-License-Identifier: BSD-3-Clause
// Asks SCOTCH in a process of its own (lib/planner/mapping/scotch), since SCOTCH may end the
// process that calls it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli {

// The path of the SCOTCH program, next to the modules of libnestbind.so; empty if it was not built.
std::string find_scotch(const std::string& library);

// SCOTCH's answer, computed by one thread: `count` numbers from 0 to `most`. what: kMap or kDivide
// of mapping/scotch/scotch_border.hpp. problem: its text. None if the program cannot be started
// (SCOTCH's own library may be missing), if it fails, or if it answers something else.
std::optional<std::vector<int>> ask_scotch(const std::string& program, const char* what,
                                           const std::string& problem, std::size_t count, int most);

}  // namespace nestbind::cli
