// SPDX-License-Identifier: BSD-3-Clause
// nestbind probe: measures how far processors and NUMA nodes are from each other.
#pragma once

#include <string>

namespace nestbind::cli {

inline constexpr int kNotReliable = 3;  // exit status: some of what was measured is not

struct ProbeOptions {
  std::string cpus;   // list; empty: this process's
  bool full = false;  // all pairs of cores
  bool json = false;  // in place of the table
  bool save = false;  // into the cache of machines
  std::string xml;    // files; empty: none
  std::string svg;
};

// Returns the exit status.
int probe_command(const ProbeOptions& options);

}  // namespace nestbind::cli
