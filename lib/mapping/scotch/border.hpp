// SPDX-License-Identifier: BSD-3-Clause
// The border of nestbind-scotch: a program that maps a team by SCOTCH, in a process of its own,
// since that library may end the one that it is in. It reads a target (target.hpp) from its
// standard input, and writes the seat of each member to its standard output.
#pragma once

namespace nestbind::mapping::scotch {

inline constexpr char kScotchFile[] = "nestbind-scotch";

// What it may take of a processor, in seconds.
inline constexpr long kSeconds = 60;

}  // namespace nestbind::mapping::scotch
