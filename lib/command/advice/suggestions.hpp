// SPDX-License-Identifier: BSD-3-Clause
// Suggests specifications for a machine.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "spec/spec.hpp"

namespace nestbind::advice {

inline constexpr int kMostSuggestions = 5;

struct Suggestion {
  spec::Spec spec;
  std::string text;
  std::string serves;
  std::string reason;  // what the plan does on this machine
};

// Returns the specifications that are worth trying, the best first, at most kMostSuggestions.
// shape: the team sizes of a program's levels, the outermost first, each at least 1. If the
// shape is empty, the suggestions have sizes in words, such as "core". No two suggestions
// use the same processors, and no two threads share a slot. The list is empty if the machine has
// only one processor.
std::vector<Suggestion> suggest(const machine::Topology& topology, const std::vector<int>& shape,
                                int smt, machine::CoreChoice cores);

// Returns the product of the sizes, limited to the range of a long.
long threads_of(const std::vector<int>& shape);

}  // namespace nestbind::advice
