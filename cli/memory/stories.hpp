// SPDX-License-Identifier: BSD-3-Clause
// What is known of each region at the end: its verdict, and the line that touched it first.
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

// Where a fault was: the first frame that is in the user's own sources.
struct Origin {
  source::Place place;                // of code in the user's file; its module empty: not known
  std::vector<source::Frame> frames;  // with debug information: of that code, the user's one first
  auto key() const {
    return frames.empty() ? fmt::format("{}+{}", place.module, place.function)
                          : fmt::format("{}:{}", frames[0].file, frames[0].line);
  }
};

struct Story {
  const watch::Region* region = nullptr;
  watch::Verdict verdict;
  std::uint64_t bytes = 0;  // that were there
  std::uint64_t first_touches = 0;
  Origin origin;                 // of most of them
  double part = 0;               // so many, per cent
  int thread = -1;               // in the order of creation
  std::vector<double> on;        // per cent, by position of the node
  std::vector<double> on_later;  // likewise
  bool is_lossy = false;
};

// The name of a file without its folder.
inline std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Pages by the kernel's number of the node -> per cent, by position of the node.
std::vector<double> percent_of(const std::vector<std::uint64_t>& counts);

// One for each region that is large enough. Those first in which most is lost.
std::vector<Story> stories_of(const Watched& watched, const Watcher& watcher);

}  // namespace nestbind::cli::memory
