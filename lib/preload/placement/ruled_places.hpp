// SPDX-License-Identifier: BSD-3-Clause
// Finds the place and the team size of a fork whose region has a rule.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// In a team with a rule, and in its inner teams, the rule "*" is ignored. The team's own rule is
// ignored there, too, because the source lines of a rule may contain inner regions.
bool follows_rule(const Place* place, const RegionRule& rule);

// Returns the place from which a region with this rule forks. If the rule is "off", the place is
// g_ruled_off. Returns null if the thread does not own the plan. Returns null if the region around
// the thread is not bound.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// Returns 0 if the rule sets no size. The size never exceeds omp_get_max_threads(), because the
// program may rely on this limit.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// For GCC's entries, end_ruled() restores the settings after the region. For the tool interface,
// put_back() restores the settings.
void begin_ruled(team::Team& team);
void end_ruled(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Returns the earlier maximum, or 0 if nothing was changed.
int set_levels(const team::Team& team);

// True if the maximum of active levels is set inside the region. LLVM's runtime undoes this setting
// at the end of a region of one thread.
bool sets_levels_inside(const team::Team& team);

}  // namespace nestbind::placement
