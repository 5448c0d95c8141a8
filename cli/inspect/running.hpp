// SPDX-License-Identifier: BSD-3-Clause
// What the kernel says of a running process. The process is not changed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/cgroup.hpp"

namespace nestbind::cli::inspect {

// Which processors a process's cgroup allows: cpuset and quota, for cgroup versions 1 and 2.
struct Limits {
  support::CpuQuota quota;  // the smallest quota of the cgroup and its parents
  std::string cpuset;       // processors, as a list; empty: not known
  std::string cpuset_group;
};

// process: a number or "self". root: prefix of /proc and mounts, for tests. Unreadable is missing.
Limits limits_of(const std::string& process, const std::string& root = "");

struct RunningThread {
  int number = 0;
  std::string name;
  std::string cpus;  // that the thread may use, as a list
};

struct Running {
  std::vector<RunningThread> threads;  // ascending; empty: the process has ended
  std::string program;                 // the path of its file; empty if it is not known
  // The variables with which it was started; none if they may not be read.
  std::optional<std::vector<std::pair<std::string, std::string>>> variables;
  // The files that it has mapped as executable, each once; none if they may not be read.
  std::optional<std::vector<std::string>> libraries;
};

// A thread that ends during the look is left out. root: a prefix for /proc, for tests.
Running look_at(int process, const std::string& root = "");

}  // namespace nestbind::cli::inspect
