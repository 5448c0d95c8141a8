// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with where a region is, and what would mend it. Pure: uses and homes in, a verdict
// out. What BLOCK and INTERLEAVE would do is asked of the functions that do it (memory/spread).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::watch {

// A hinting fault: a thread on a node has come for a page.
struct Use {
  std::uint64_t address = 0;
  int node = 0;
  double weight = 1;
  std::uint64_t time = 0;  // nanoseconds
  int home = -1;           // where the page was before; -1: not known
};

struct Figures {
  double local = 0;      // of the uses those of memory of the user's own node, per cent
  double imbalance = 0;  // of the nodes' memory: standard deviation in per cent of the mean
};

enum class Remedy {
  kUnseen,  // too little is known
  kNone,
  kBlock,
  kLocal,
  kInterleave,
  kOwn,  // each page on the node that uses it: by a parallel first touch
};

struct Facts {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<Use> uses;
  std::function<int(const Use& use)> home;  // of its page; -1: not known
  std::vector<int> nodes;                   // that memory may be on, ascending
  std::vector<spread::Member> team;         // whom BLOCK would deal to; empty: not known
  bool may_be_judged = true;                // false: samples are lost, here more than there
};

// Samples. Fewer, but as many as the latter, are enough for what would gain very much.
inline constexpr std::uint64_t kEnough = 200;
inline constexpr std::uint64_t kFewest = 50;

struct Verdict {
  Remedy remedy = Remedy::kUnseen;
  Figures now;
  Figures then;       // with the remedy
  int node = 0;       // kLocal: all would be there
  double shared = 0;  // 0: each part is used by one node; 1: all nodes use all alike
  std::uint64_t samples = 0;
  std::vector<double> users;  // per cent, by position in Facts::nodes
};

Verdict judge(const Facts& facts);

// Each 2 MiB of the region that are used weigh as much as any other: of a huge page there is one
// use, where of small ones there are 512. No use weighs more than twice what they usually do: the
// kernel follows the rate of faults, and one may stand for others that were elsewhere.
void weigh_evenly(Facts& facts);

// What becomes of the uses if each page is where `home` says.
Figures figures_of(const Facts& facts, const std::function<int(const Use&)>& home);

// Whether it is to be interleaved without asking: two nodes or more share it, its pages are uneven,
// and no more is local than interleaved. pages_on: by position in Facts::nodes.
bool is_to_be_interleaved(const Facts& facts, const Verdict& verdict,
                          std::span<const std::uint64_t> pages_on);

// Of numbers, one for each node.
double imbalance_of(std::span<const double> numbers);

}  // namespace nestbind::memory::watch
