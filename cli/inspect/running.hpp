// SPDX-License-Identifier: BSD-3-Clause
// Reads what the kernel knows about a running process, without changing it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/cgroup.hpp"

namespace nestbind::cli::inspect {

struct Limits {
  support::CpuQuota quota;
  std::string cpuset;  // processors, as a list; empty if not known
  std::string cpuset_group;
};

// process: a number or "self". root: a prefix of all paths, for tests. Limits are empty if unknown.
Limits limits_of(const std::string& process, const std::string& root = "");

struct RunningThread {
  int number = 0;
  std::string name;
  std::string cpus;
};

struct Running {
  std::vector<RunningThread> threads;  // ascending; empty if the process has ended
  std::string program;
  // The environment at the process's start. Not set if unreadable.
  std::optional<std::vector<std::pair<std::string, std::string>>> variables;
  // The files that the process has mapped as executable, each once. Not set if unreadable.
  std::optional<std::vector<std::string>> libraries;
};

// Leaves out threads that end during the call.
Running look_at(int process, const std::string& root = "");

}  // namespace nestbind::cli::inspect
