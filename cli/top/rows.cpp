// SPDX-License-Identifier: BSD-3-Clause
#include "cli/top/rows.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <set>
#include <tuple>
#include <utility>

namespace nestbind::cli::top {

namespace {

using Path = std::vector<int>;

bool leads_to(const Path& path, const Path& deeper) {
  return path.size() < deeper.size() && std::equal(path.begin(), path.end(), deeper.begin());
}

// A forking thread does not publish its new path as thread 0. So the 0 is added here if other
// threads publish paths in the inner team.
Path completed(Path path, const std::set<Path>& all) {
  while (true) {
    const auto next = all.upper_bound(path);
    if (next == all.end() || !leads_to(path, *next)) {
      return path;
    }
    Path primary = path;
    primary.push_back(0);
    if (all.contains(primary)) {  // this is another thread's path
      return path;
    }
    path = std::move(primary);
  }
}

// The kernel reuses thread numbers. An earlier thread with this number may have published `placed`.
bool is_of(const Placed& placed, const Stat& thread, long ticks_per_second) {
  constexpr double kNanoseconds = 1e9;
  const double begun = static_cast<double>(thread.start) / static_cast<double>(ticks_per_second);
  const double tick = 1.0 / static_cast<double>(ticks_per_second);
  return begun <= static_cast<double>(placed.since) / kNanoseconds + tick;
}

int node_of(int processor, const Host& host) {
  return processor >= 0 && static_cast<std::size_t>(processor) < host.nodes.size()
             ? host.nodes[static_cast<std::size_t>(processor)]
             : -1;
}

Wandered wandered(const Placed& placed, const Row& row) {
  if (!placed.is_bound || placed.is_cut || placed.is_moving) {
    return Wandered::kNo;
  }
  if (!row.allowed.empty() && row.allowed != placed.cpus) {
    return Wandered::kMask;
  }
  const bool is_inside =
      row.processor < 0 || std::ranges::binary_search(placed.cpus, row.processor);
  return is_inside ? Wandered::kNo : Wandered::kProcessor;
}

void place(Row& row, const Placed& placed) {
  row.is_placed = true;
  row.path = placed.path;
  row.root = placed.root;
  row.planned = placed.cpus;
  row.slot = placed.slot;
  row.is_bound = placed.is_bound;
  row.is_pinned = placed.is_pinned;
  row.is_cut = placed.is_cut;
  row.wandered = wandered(placed, row);
}

std::map<int, const Placed*> places_of(const ProcessSample& process) {
  std::map<int, const Placed*> places;
  if (!process.published) {
    return places;
  }
  for (const Placed& placed : process.published->places) {
    const Placed*& known = places[placed.thread];
    if (known == nullptr || known->since < placed.since) {
      known = &placed;
    }
  }
  return places;
}

void complete_paths(std::vector<Row>& rows) {
  std::map<int, std::set<Path>> paths;  // by root thread
  std::map<std::vector<int>, int> on;   // processors -> number of threads that are pinned to them
  for (const Row& row : rows) {
    if (row.is_placed) {
      paths[row.root].insert(row.path);
      on[row.planned] += row.is_pinned ? 1 : 0;
    }
  }
  for (Row& row : rows) {
    if (row.is_placed) {
      row.path = row.is_cut ? row.path : completed(row.path, paths[row.root]);
      row.sharing = row.is_pinned ? on[row.planned] - 1 : 0;
    }
  }
}

void sort(std::vector<Row>& rows, Order order) {
  const auto by_path = [](const Row& row) {
    return std::make_tuple(!row.is_placed, row.root, row.path, row.thread);
  };
  std::ranges::sort(rows, {}, by_path);
  if (order == Order::kShare) {
    std::ranges::sort(rows, {}, [&](const Row& row) {
      return std::make_tuple(-row.share.value_or(0), by_path(row));
    });
  } else if (order == Order::kProcessor) {
    std::ranges::sort(rows, {},
                      [&](const Row& row) { return std::make_tuple(row.processor, by_path(row)); });
  } else if (order == Order::kThread) {
    std::ranges::sort(rows, {}, &Row::thread);
  }
}

const ProcessSample* find(const Sample* sample, const ProcessSample& process) {
  const auto is_it = [&](const ProcessSample& other) {
    return other.process == process.process && other.start == process.start;
  };
  if (sample == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(sample->processes, is_it);
  return found == sample->processes.end() ? nullptr : &*found;
}

std::optional<double> share_of(const ThreadSample& now, const ProcessSample* before, double seconds,
                               long ticks_per_second) {
  if (before == nullptr || seconds <= 0) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(before->threads, now.thread, &ThreadSample::thread);
  const bool is_same = found != before->threads.end() && found->stat.start == now.stat.start;
  const std::uint64_t ticks = is_same ? found->stat.ticks : 0;
  constexpr double kPerCent = 100;
  return now.stat.ticks < ticks ? 0
                                : kPerCent * static_cast<double>(now.stat.ticks - ticks) /
                                      (seconds * static_cast<double>(ticks_per_second));
}

Row row_of(const ThreadSample& thread, const Host& host) {
  Row row;
  row.thread = thread.thread;
  row.name = thread.stat.name;
  row.allowed = thread.cpus;
  row.processor = thread.stat.processor;
  row.node = node_of(thread.stat.processor, host);
  row.state = thread.stat.state;
  return row;
}

Block block_of(const ProcessSample& process, const ProcessSample* before, double seconds,
               const Host& host, Order order) {
  Block block;
  block.process = process.process;
  block.command = process.command;
  block.has_ended = process.has_ended;
  block.is_published = process.published.has_value();
  block.spec = process.published ? process.published->spec : "";
  block.tree_number = process.published ? process.published->tree_number : 0;
  block.tree_size = process.published ? process.published->tree_size : 0;
  block.not_shown = process.published ? process.published->not_shown : 0;
  const auto places = places_of(process);
  bool has_placed = false;
  for (const ThreadSample& thread : process.threads) {
    Row row = row_of(thread, host);
    const auto placed = places.find(thread.thread);
    if (placed != places.end() && is_of(*placed->second, thread.stat, host.ticks_per_second)) {
      place(row, *placed->second);
      has_placed = true;
    }
    row.share = share_of(thread, before, seconds, host.ticks_per_second);
    if (row.share) {
      block.share = block.share.value_or(0) + *row.share;
    }
    block.rows.push_back(std::move(row));
  }
  for (const Row& row : block.rows) {
    if (row.is_placed || !has_placed) {
      ++block.threads_by_node[row.node];
    }
  }
  complete_paths(block.rows);
  sort(block.rows, order);
  return block;
}

}  // namespace

std::vector<Block> blocks_of(const Sample* before, const Sample& now, const Host& host,
                             Order order) {
  std::list<Block> blocks;
  for (const ProcessSample& process : now.processes) {
    const double seconds = before == nullptr ? 0 : now.seconds - before->seconds;
    blocks.push_back(block_of(process, find(before, process), seconds, host, order));
  }
  if (order == Order::kShare) {
    blocks.sort([](const Block& one, const Block& other) {
      return one.share.value_or(0) > other.share.value_or(0);
    });
  }
  return {std::make_move_iterator(blocks.begin()), std::make_move_iterator(blocks.end())};
}

}  // namespace nestbind::cli::top
