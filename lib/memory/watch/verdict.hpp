// SPDX-License-Identifier: BSD-3-Clause
// Finds what is wrong with the nodes of a region's pages, and a remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory/watch/sharing.hpp"

namespace nestbind::memory::watch {

struct Figures {
  double local = 0;      // uses from the node that has the memory, per cent
  double imbalance = 0;  // standard deviation of the nodes' memory, per cent of the mean
};

enum class Remedy {
  kUnseen,  // too few samples
  kNone,
  kBlock,
  kLocal,
  kInterleave,
  kOwn,  // the program places each page on the node that uses it, by first touch
};

// With fewer samples than kEnough only a very large gain counts, with fewer than kFewest none.
inline constexpr std::uint64_t kEnough = 200;
inline constexpr std::uint64_t kFewest = 50;

struct Verdict {
  Remedy remedy = Remedy::kUnseen;
  Figures now;
  Figures then;
  int node = 0;  // for kLocal: the node of all pages
  Sharing sharing;
  std::uint64_t samples = 0;
  std::vector<double> users;  // per cent of the uses by each of Facts::nodes
};

Verdict judge(const Facts& facts);

// Gives each used 2 MiB the same total weight. A huge page has one use, but the same memory in
// small pages has 512 uses. No weight is more than twice the median, because a sample of the kernel
// may also count for faults at other addresses.
void weigh_evenly(Facts& facts);

// Returns the figures of the uses. `home` returns the node of a use's page.
Figures figures_of(const Facts& facts, const std::function<int(const Use&)>& home);

// Whether to interleave the region without asking the user. pages_on: pages on each of
// Facts::nodes.
bool is_to_be_interleaved(const Facts& facts, const Verdict& verdict,
                          std::span<const double> pages_on);

// Returns the standard deviation in per cent of the mean. numbers: one for each node.
double imbalance_of(std::span<const double> numbers);

}  // namespace nestbind::memory::watch
