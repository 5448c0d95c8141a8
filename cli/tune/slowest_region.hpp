// SPDX-License-Identifier: BSD-3-Clause
// The region that takes most of a program's time, by a trace of one run. Pure.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace nestbind::cli::tune {

struct SlowestRegion {
  std::string module;         // its file's name
  std::uint64_t address = 0;  // of its code, as the file counts
  double seconds = 0;         // in all of its executions
  double all = 0;             // in those of all regions outside of others
};

// trace: as lib/preload/process/traced.cpp writes it, where there are rules. None where no region
// has ended in it.
std::optional<SlowestRegion> slowest_region(std::istream& trace);

}  // namespace nestbind::cli::tune
