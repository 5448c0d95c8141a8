// SPDX-License-Identifier: BSD-3-Clause
// Finds what is wrong with the nodes of a region's pages, and a remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::watch {

// Computes which nodes use a region, and how much they share it.
// A hinting fault: a thread on a node has used a page.
struct Use {
  std::uint64_t address = 0;
  int node = 0;
  double weight = 1;
  std::uint64_t time = 0;  // nanoseconds
  int home = -1;           // the page's node before the use; -1 if not known
};

struct Facts {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<Use> uses;
  std::function<int(const Use& use)> home;
  std::vector<int> nodes;            // nodes that may have memory, ascending
  std::vector<spread::Member> team;  // the team's members, for BLOCK; empty if not known
  bool may_be_judged = true;         // false if some processors lost many more samples than others
};

struct Sharing {
  std::uint64_t pairs = 0;     // pairs of uses of one piece, after consecutive scans
  double alike = 1;            // fraction of pairs from one node
  bool may_have_owned = true;  // false if several nodes use each sixteenth
  // 0 if each part is used by one node at a time; 1 if all nodes use all parts equally.
  double shared = 0;
  bool is_known() const { return pairs >= 48; }
};

Sharing sharing_of(const Facts& facts);

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
