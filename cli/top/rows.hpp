// SPDX-License-Identifier: BSD-3-Clause
// Computes what is shown of each process and thread, from two samples.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

struct Host {
  long ticks_per_second = 100;
  std::vector<int> nodes;  // the NUMA node of each processor; -1 if none
};

enum class Order { kPath, kShare, kProcessor, kThread };
inline constexpr const char* kOrders[] = {"path", "share", "processor", "thread"};

enum class Wandered { kNo, kMask, kProcessor };

struct Row {
  int thread = 0;
  std::string name;
  // False if the process publishes no place. Then the next fields are unused.
  bool is_placed = false;
  // If the thread is also the primary thread of inner teams, the path ends with zeros.
  std::vector<int> path;
  int root = -1;  // -1 if the machine is not divided by root threads
  std::vector<int> planned;
  int slot = 0;
  bool is_bound = true;
  bool is_pinned = true;
  bool is_cut = false;
  int sharing = 0;  // the number of other threads that are pinned to the same processors
  std::vector<int> allowed;
  int processor = -1;
  int node = -1;
  char state = '?';
  std::optional<double> share;  // per cent of a processor, since the previous sample
  Wandered wandered = Wandered::kNo;
};

struct Block {
  int process = 0;
  std::string command;
  bool has_ended = false;
  bool is_published = false;
  std::string spec;
  int tree_number = 0;
  int tree_size = 0;  // 0: the process does not divide the processors with others of its tree
  std::uint64_t not_shown = 0;
  std::vector<Row> rows;
  std::optional<double> share;
  std::map<int, int> threads_by_node;  // placed threads; all threads if none is placed
  std::optional<Pages> pages;
};

// `before` is null at the first sample.
std::vector<Block> blocks_of(const Sample* before, const Sample& now, const Host& host,
                             Order order);

}  // namespace nestbind::cli::top
