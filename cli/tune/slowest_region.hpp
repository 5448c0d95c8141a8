// SPDX-License-Identifier: BSD-3-Clause
// Finds the region that takes most of a program's time, from a trace of one run. Pure.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace nestbind::cli::tune {

struct SlowestRegion {
  std::string module;         // the name of its file
  std::uint64_t address = 0;  // an address of that file
  double seconds = 0;         // all executions together
  double all = 0;             // all executions of all outermost regions together
};

// trace: of lib/preload/process/traced.cpp, with rules in force. None: no region has ended in it.
std::optional<SlowestRegion> slowest_region(std::istream& trace);

}  // namespace nestbind::cli::tune
