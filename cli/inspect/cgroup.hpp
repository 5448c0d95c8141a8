// SPDX-License-Identifier: BSD-3-Clause
// What a process's cgroup leaves it of the processors: cpuset and quota, of cgroup 1 and 2.
#pragma once

#include <string>

namespace nestbind::cli::inspect {

struct Limits {
  double quota = 0;         // processors' worth of time, the smallest on the way up; 0: no limit
  std::string quota_group;  // the folder that sets it
  std::string cpuset;       // processors, as a list; empty: not known
  std::string cpuset_group;
};

// process: a number, or "self". root: put before /proc and what is mounted, for tests; empty:
// nothing. What cannot be read is as if it were not there.
Limits limits_of(const std::string& process, const std::string& root = "");

}  // namespace nestbind::cli::inspect
