// SPDX-License-Identifier: BSD-3-Clause
// A fork whose region has a rule: which plan the fork follows, and how large its team is.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// Whether a region that is forked at a place follows its rule. In a team with a rule, and in its
// inner teams, the rule "*" does not count. The team's own rule does not count there either,
// because the source lines of a rule may contain inner regions.
bool follows_rule(const Place* place, const RegionRule& rule);

// The place that the calling thread forks from in such a region: the root of the rule's plan, its
// own place under this plan, or g_ruled_off. Null: the thread forks as if there were no rule,
// because it does not own the plan or its region is not bound.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// The size that the rule of a ruled place gives a team; 0: no size. It is never larger than a size
// that the program may have been told. asked: as for team::fork_begin.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// Called on the encountering thread, if ruled_place() gives the place that it forks from. Changes
// the runtime's own settings if necessary. After the region the settings are restored: by
// `end_ruled` for GCC's entries, by put_sizes_back (team_sizes.hpp) for the tool interface.
void begin_ruled(team::Team& team);
void end_ruled(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Sets the maximum of active levels that the rule needs. Returns the earlier one; 0: no change.
int set_levels(const team::Team& team);

// Whether the levels are set inside the region, not before it. This is so in a region of one
// thread: at its end, LLVM's runtime itself undoes the settings that were made in it.
bool sets_levels_inside(const team::Team& team);

}  // namespace nestbind::placement
