// SPDX-License-Identifier: BSD-3-Clause
// The border of nestbind-scotch: a program that asks SCOTCH, in a process of its own, since that
// library may end the one that it is in. Its argument says what is asked; the problem comes from
// its standard input, and the answer goes to its standard output, a number in each line.
#pragma once

namespace nestbind::mapping::scotch {

inline constexpr char kScotchFile[] = "nestbind-scotch";

inline constexpr char kMap[] = "map";        // a target (target.hpp) -> the position of each member
inline constexpr char kDivide[] = "divide";  // an object_graph.hpp -> the part of each object

// What it may take of a processor, in seconds.
inline constexpr long kSeconds = 60;

}  // namespace nestbind::mapping::scotch
