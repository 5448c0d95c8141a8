// SPDX-License-Identifier: BSD-3-Clause
// An advice in words.
#pragma once

#include <string>
#include <vector>

#include "memory/advice.hpp"

namespace nestbind::memory {

// What only the command can find out: it reads the program's debug information. Each begins as a
// mark that stands for it in a text.
struct Names {
  std::string place = "@place@";  // "init_grid (grid.c:120)"
  std::string line = "@line@";    // "grid.c:120"
  std::string array = "@array@";  // "grid"
  bool operator==(const Names&) const = default;
};

struct Told {
  const char* source = "";  // where samples come from: "NUMA hint faults"
  std::vector<int> nodes;   // the machine's number of each node
};

// Three lines for people, each with a newline:
//   region 7f..000 4.0 GiB  first touched by thread 0 in init_grid (grid.c:120) 100 %  on node 0:
//   100 %
//     used by: nodes 0..3, 25 % each; each page by one node (97 %)  sampled: NUMA hint faults,
//     41,214 local 25 %, imbalance 200 %  ->  BLOCK distribution: local 97 %, imbalance 2 %.  In
//     the source: ...
std::string sentences(const RegionFacts& facts, const Advice& advice, const Told& told,
                      const Names& names);

// A text with the marks of Names replaced.
std::string filled(std::string text, const Names& names);

}  // namespace nestbind::memory
