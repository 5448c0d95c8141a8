// SPDX-License-Identifier: BSD-3-Clause
// The border of nestbind-partition-scotch and nestbind-partition-metis: programs that divide a
// graph into parts of one load by these libraries, each in a process of its own, since such a
// library may end the one that it is in. They read a request (request.hpp) from the standard input,
// and write the part of each object to the standard output, a number in each line.
#pragma once

namespace nestbind::balance::partition {

inline constexpr char kFilePrefix[] = "nestbind-partition-";  // then scotch or metis

// What one may take of a processor, in seconds.
inline constexpr long kSeconds = 60;

}  // namespace nestbind::balance::partition
