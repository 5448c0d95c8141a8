// SPDX-License-Identifier: BSD-3-Clause
// Of two samples, what is shown of each process and thread. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

struct Host {
  long ticks_per_second = 100;
  std::vector<int> nodes;  // of each processor, its NUMA node; -1: none
};

enum class Order { kPath, kShare, kProcessor, kThread };
inline constexpr const char* kOrders[] = {"path", "share", "processor", "thread"};

enum class Wandered { kNo, kMask, kProcessor };

struct Row {
  int thread = 0;
  std::string name;
  bool is_placed = false;  // its process tells where; otherwise the next ones mean nothing
  std::vector<int> path;   // as deep as others' paths show that it leads teams
  int root = -1;           // its root thread, where several divide the machine; -1: they do not
  std::vector<int> planned;
  int slot = 0;
  bool is_bound = true;
  bool is_pinned = true;
  bool is_cut = false;
  int sharing = 0;           // other threads that are pinned to the same processors
  std::vector<int> allowed;  // by the kernel
  int processor = -1;        // the last one
  int node = -1;             // its NUMA node
  char state = '?';
  std::optional<double> share;  // per cent of a processor, since the sample before
  Wandered wandered = Wandered::kNo;
};

struct Block {
  int process = 0;
  std::string command;
  bool has_ended = false;
  bool is_published = false;
  std::string spec;
  std::uint64_t not_shown = 0;
  std::vector<Row> rows;
  std::optional<double> share;         // of all threads
  std::map<int, int> threads_by_node;  // that are placed, or all where none is
  std::optional<Pages> pages;          // filled in where they were asked for
};

// before: null for the first sample. Processes in the order of `now`, or the busiest first by
// share.
std::vector<Block> blocks_of(const Sample* before, const Sample& now, const Host& host,
                             Order order);

}  // namespace nestbind::cli::top
