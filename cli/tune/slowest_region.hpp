// SPDX-License-Identifier: BSD-3-Clause
// Finds the region that takes most of a program's time, in a trace of a run.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace nestbind::cli::tune {

struct SlowestRegion {
  std::string module;
  std::uint64_t address = 0;  // its address in the file
  double seconds = 0;         // of all executions of the region
  double all = 0;
};

// trace: from lib/preload/process/traced.cpp, with rules. Returns nothing if no region has ended.
std::optional<SlowestRegion> slowest_region(std::istream& trace);

}  // namespace nestbind::cli::tune
