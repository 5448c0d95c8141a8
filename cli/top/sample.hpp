// SPDX-License-Identifier: BSD-3-Clause
// What the kernel and published files say about processes at one moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nestbind::cli::top {

struct Placed {
  int thread = 0;
  std::vector<int> path;
  int root = -1;  // the thread's root thread, if several root threads divide the machine; else -1
  std::vector<int> cpus;
  int slot = 0;
  bool is_bound = true;
  bool is_pinned = true;  // true if bound to a slot, false if bound to a share
  bool is_cut = false;  // the record has no room for all processors, or for all levels of the path
  bool is_moving = false;
  std::uint64_t since = 0;  // nanoseconds since the machine was started
};

struct Published {
  std::uint64_t start = 0;  // when the process started, in ticks
  std::uint64_t image = 0;  // identifies the program that the process runs; 0: not known
  std::string spec;
  std::uint64_t not_shown = 0;
  std::uint64_t refused = 0;  // publish::refused_word(), or 0
  std::vector<Placed> places;
  int tree_number = 0;               // number in the tree of processes that divide the processors
  int tree_size = 0;                 // 0: the process does not divide
  std::string mask_set_by = {};      // who has narrowed the process's mask; empty: not known
  std::uint64_t mask_set_after = 0;  // milliseconds after the start of nestbind
};

struct Stat {
  std::string name;
  char state = '?';
  std::uint64_t ticks = 0;  // processor time, in ticks
  std::uint64_t start = 0;  // when it started, in ticks since the machine was started
  std::uint64_t image = 0;  // identifies the program that the process runs; 0: not known
  int threads = 0;
  int processor = -1;
};

struct ThreadSample {
  int thread = 0;
  Stat stat;
  std::vector<int> cpus;
};

// Pages of a process by NUMA node, in KiB.
using Pages = std::map<int, std::uint64_t>;

struct ProcessSample {
  int process = 0;
  std::uint64_t start = 0;
  std::string command;
  bool has_ended = false;
  std::optional<Published> published;
  std::vector<ThreadSample> threads;
};

struct Sample {
  double seconds = 0;  // a time of CLOCK_MONOTONIC
  std::vector<ProcessSample> processes;
};

}  // namespace nestbind::cli::top
