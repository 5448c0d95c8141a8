// SPDX-License-Identifier: BSD-3-Clause
// The result for each region: the verdict, and the source line of the first touch.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/memory/watcher.hpp"
#include "cli/source/call_chains.hpp"
#include "memory/watch/verdict.hpp"

namespace nestbind::cli::memory {

namespace watch = nestbind::memory::watch;

// Where a fault happened: the first frame of the call chain that is in the user's sources.
struct Origin {
  source::Place place;                // `module` is empty if unknown
  std::vector<source::Frame> frames;  // only with debug information; the user's frame is first
  auto key() const {
    return frames.empty() ? fmt::format("{}+{}", place.module, place.function)
                          : fmt::format("{}:{}", frames[0].file, frames[0].line);
  }
};

struct Story {
  const watch::Region* region = nullptr;
  watch::Verdict verdict;
  std::uint64_t bytes = 0;
  std::uint64_t first_touches = 0;
  Origin origin;
  double part = 0;  // per cent of the region's first touches
  // The thread that made nearly all first touches. Threads have numbers from 0, in the order of
  // their creation. The number is -1 if several threads made the first touches.
  int thread = -1;
  std::vector<double> on;  // per cent of the pages on each node, by position in nodes().numbers
  bool is_lossy = false;
};

// Converts numbers of pages on nodes to per cent of all pages. `counts` is indexed by the kernel's
// number of the node. The result has the order of nodes().numbers.
std::vector<double> percent_of(const std::vector<std::uint64_t>& counts);

std::vector<Story> stories_of(const Watched& watched, const Watcher& watcher);

}  // namespace nestbind::cli::memory
