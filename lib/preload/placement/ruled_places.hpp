// SPDX-License-Identifier: BSD-3-Clause
// Which plan a fork follows if its region has a rule, and how large its team is.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// In a team with a rule, and in its inner teams, the rule "*" is ignored.
bool follows_rule(const Place* place, const RegionRule& rule);

// Returns the place that a fork by a rule starts from. Returns g_ruled_off if the rule is "off".
// Returns null if the thread does not own the plan or its region is not bound.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// Returns 0 if the rule sets no size. The size never exceeds the runtime's present setting, which
// the program may know.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// For GCC's entries, end_ruled() restores the settings after the region. For the tool interface,
// put_back() restores the settings.
void begin_ruled(team::Team& team);
void end_ruled(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Returns the earlier maximum, or 0 if nothing was changed.
int set_levels(const team::Team& team);

// Whether the maximum of active levels is set inside the region, not before it. LLVM's runtime
// undoes the region's settings at the end of a region of one thread.
bool sets_levels_inside(const team::Team& team);

}  // namespace nestbind::placement
