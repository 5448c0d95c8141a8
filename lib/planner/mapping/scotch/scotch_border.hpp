// SPDX-License-Identifier: BSD-3-Clause
// The interface to the program nestbind-scotch. The argument is one of the words below. The program
// reads the problem from the standard input, and writes the result to the standard output, one
// number in each line.
#pragma once

namespace nestbind::mapping::scotch {

inline constexpr char kScotchFile[] = "nestbind-scotch";

inline constexpr char kMap[] = "map";        // a Target -> the position of each member
inline constexpr char kDivide[] = "divide";  // an ObjectGraph -> the part of each object

// The limit of the program's processor time, in seconds.
inline constexpr long kSeconds = 60;

}  // namespace nestbind::mapping::scotch
