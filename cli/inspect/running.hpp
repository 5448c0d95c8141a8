// SPDX-License-Identifier: BSD-3-Clause
// Reads what the kernel knows about a running process, without changing it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/cgroup.hpp"

namespace nestbind::cli::inspect {

// Limits of a process's cgroup (version 1 or 2): its cpuset and its CPU quota.
struct Limits {
  support::CpuQuota quota;  // the smallest quota of the cgroup and its parents
  std::string cpuset;       // processors, as a list; empty if not known
  std::string cpuset_group;
};

// process: a number or "self". root: a prefix of all paths, for tests. Limits are empty if unknown.
Limits limits_of(const std::string& process, const std::string& root = "");

struct RunningThread {
  int number = 0;
  std::string name;
  std::string cpus;  // the processors that the thread may use, as a list
};

struct Running {
  std::vector<RunningThread> threads;  // ascending; empty if the process has ended
  std::string program;                 // the path of the program's file; empty if it is not known
  // The variables with which the process was started; not set if they may not be read.
  std::optional<std::vector<std::pair<std::string, std::string>>> variables;
  // The files that the process has mapped as executable, each once. Not set if unreadable.
  std::optional<std::vector<std::string>> libraries;
};

// Leaves out threads that end during the call. root: a prefix of /proc, for tests.
Running look_at(int process, const std::string& root = "");

}  // namespace nestbind::cli::inspect
