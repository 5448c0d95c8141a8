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
  std::string text;    // canonical
  std::string serves;  // for what kind of program: "threads" or "teams that ..."
  std::string reason;  // what the plan does here: a sentence without its full stop
};

// The specifications worth trying, the likeliest first, at most kMostSuggestions. shape: the team
// sizes of the levels that a program forks, the outermost first, each at least 1; empty: not known,
// and symbolic sizes are used. smt: slots per core; 0: as many as wanted. No two results use the
// same processors, and in none do two threads share a slot. None for a shape that is larger than
// the machine or has only teams of one, for a machine with one processor, and for sizes above the
// limits of a specification.
std::vector<Suggestion> suggest(const machine::Topology& topology, const std::vector<int>& shape,
                                int smt, machine::CoreChoice cores);

// The product of the sizes, limited to the range of a long.
long threads_of(const std::vector<int>& shape);

}  // namespace nestbind::advice
