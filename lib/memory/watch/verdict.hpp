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
  double local = 0;      // local uses, per cent
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

// With fewer than kEnough samples, a remedy needs a larger gain. With fewer than kFewest samples,
// there is no remedy.
inline constexpr std::uint64_t kEnough = 200;
inline constexpr std::uint64_t kFewest = 50;

struct Verdict {
  Remedy remedy = Remedy::kUnseen;
  Figures now;
  Figures then;
  int node = 0;  // for kLocal: the node of all pages
  Sharing sharing;
  std::uint64_t samples = 0;
  std::vector<double> users;  // uses from each node in per cent, in the order of Facts::nodes
};

Verdict judge(const Facts& facts);

// Gives all used pieces of 2 MiB the same total weight, because small pages have more faults than a
// huge page. Weights above twice the median are reduced, because a sample may stand for faults at
// other addresses.
void weigh_evenly(Facts& facts);

// home: returns the node of the page that was used.
Figures figures_of(const Facts& facts, const std::function<int(const Use&)>& home);

// Whether to interleave the region without asking the user. pages_on: pages on each of
// Facts::nodes.
bool is_to_be_interleaved(const Facts& facts, const Verdict& verdict,
                          std::span<const double> pages_on);

// Returns the standard deviation in per cent of the mean. numbers: one for each node.
double imbalance_of(std::span<const double> numbers);

}  // namespace nestbind::memory::watch
