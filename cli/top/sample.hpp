// SPDX-License-Identifier: BSD-3-Clause
// What is read of processes at one moment: by the kernel, and by what they publish.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::top {

// A thread's place, as its process tells it.
struct Placed {
  int thread = 0;  // the kernel's number
  std::vector<int> path;
  int root = -1;          // its root thread, where several divide the machine; -1: they do not
  std::vector<int> cpus;  // ascending
  int slot = 0;
  bool is_bound = true;     // false: the system has refused
  bool is_pinned = true;    // to a slot, not to a share
  bool is_cut = false;      // more processors, or a longer path
  bool is_moving = false;   // it has changed while the thread was looked at
  std::uint64_t since = 0;  // nanoseconds since the machine was started
};

// A file that a process has published.
struct Published {
  std::uint64_t start = 0;  // of its process, in ticks
  std::uint64_t image = 0;  // stands for the program; 0: not known
  std::string spec;
  std::uint64_t not_shown = 0;
  std::vector<Placed> places;
};

// A line of /proc/PID/stat, as far as it is used.
struct Stat {
  std::string name;
  char state = '?';
  std::uint64_t ticks = 0;  // that it has run
  std::uint64_t start = 0;  // likewise since the machine was started
  std::uint64_t image = 0;  // stands for the program; 0: not known
  int threads = 0;          // of its process
  int processor = -1;       // the last one
};

struct ThreadSample {
  int thread = 0;
  Stat stat;
  std::vector<int> cpus;  // where the kernel lets it run, ascending
};

// Pages of a process by NUMA node, in KiB.
using Pages = std::map<int, std::uint64_t>;

struct ProcessSample {
  int process = 0;
  std::uint64_t start = 0;
  std::string command;
  bool has_ended = false;  // nothing else is known then but its number
  std::optional<Published> published;
  std::vector<ThreadSample> threads;
};

struct Sample {
  double seconds = 0;  // by a clock that is not set
  std::vector<ProcessSample> processes;
};

}  // namespace nestbind::cli::top
