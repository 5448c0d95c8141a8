// SPDX-License-Identifier: BSD-3-Clause
// Which specifications are worth trying on a machine.
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
  std::string serves;  // "for" what kind of program: threads or teams that ...
  std::string reason;  // a sentence without its full stop, of what the plan does here
};

// The specifications worth trying, the likeliest first, at most kMostSuggestions. shape: the team
// sizes of the levels that a program forks, the outermost first, each from 1 on; empty: nothing is
// known, and the machine's own sizes are taken by their symbols. smt: slots a core, 0: as many as
// wanted. No two put their threads on the same processors, and none lets two threads share a slot;
// none is returned where that cannot be: for a shape larger than the machine, for one that binds
// nothing (teams of one), and for a machine of one processor. A sizes of more than the
// specification's own limits give nothing either.
std::vector<Suggestion> suggest(const machine::Topology& topology, const std::vector<int>& shape,
                                int smt, machine::CoreChoice cores);

// How many threads a shape has; kept within what a long holds.
long threads_of(const std::vector<int>& shape);

}  // namespace nestbind::advice
