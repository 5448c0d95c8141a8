// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of a running process. Nothing is done to it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/cgroup.hpp"

namespace nestbind::cli::inspect {

// What a process's cgroup leaves it of the processors: cpuset and quota, of cgroup 1 and 2.
struct Limits {
  support::CpuQuota quota;  // the smallest on the way up
  std::string cpuset;       // processors, as a list; empty: not known
  std::string cpuset_group;
};

// process: a number, or "self". root: put before /proc and what is mounted, for tests; empty:
// nothing. What cannot be read is as if it were not there.
Limits limits_of(const std::string& process, const std::string& root = "");

struct RunningThread {
  int number = 0;
  std::string name;
  std::string cpus;  // that it may use, as a list
};

struct Running {
  std::vector<RunningThread> threads;  // ascending; empty: there is no such process any more
  std::string program;                 // its file; empty where that is not to be known
  // Its variables when it was started; none where they may not be read.
  std::optional<std::vector<std::pair<std::string, std::string>>> variables;
  // The files that it has mapped and may execute, each once; none where they may not be read.
  std::optional<std::vector<std::string>> libraries;
};

// A thread that ends meanwhile is left out. root: put before /proc, for tests.
Running look_at(int process, const std::string& root = "");

}  // namespace nestbind::cli::inspect
