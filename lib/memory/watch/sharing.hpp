// SPDX-License-Identifier: BSD-3-Clause
// Who uses a region, and how much nodes share it. Pure.
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
  int home = -1;           // where the page was before; -1: not known
};

struct Facts {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<Use> uses;
  std::function<int(const Use& use)> home;  // of the use's page; -1: not known
  std::vector<int> nodes;                   // that memory may be on, ascending
  std::vector<spread::Member> team;  // the members that BLOCK would deal to; empty: not known
  bool may_be_judged = true;         // false: samples are lost, more in some places than in others
};

struct Sharing {
  std::uint64_t pairs = 0;     // of uses of the same piece, after one scan and after the next
  double alike = 1;            // the part of the pairs by one node, 0 to 1
  bool may_have_owned = true;  // some sixteenth is one node's alone, or too little is known of it
  // 0: each part is used by one node, or users follow one another, as in a program's phases. 1: all
  // nodes use all parts equally, which looks random. In between: how near the uses are to random.
  double shared = 0;
  bool is_known() const { return pairs >= 48; }
};

Sharing sharing_of(const Facts& facts);

}  // namespace nestbind::memory::watch
