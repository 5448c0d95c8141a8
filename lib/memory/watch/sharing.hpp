// SPDX-License-Identifier: BSD-3-Clause
// Computes which nodes use a region, and how much they share it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::watch {

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

}  // namespace nestbind::memory::watch
