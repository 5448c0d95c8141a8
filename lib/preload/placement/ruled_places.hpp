// SPDX-License-Identifier: BSD-3-Clause
// Which plan a fork follows if its region has a rule, and how large its team is.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// Whether a region that is forked at a place follows its rule. In a team with a rule, and in its
// inner teams, the rule "*" is ignored. There the team's own rule is ignored, too, because the
// source lines of a rule may contain inner regions.
bool follows_rule(const Place* place, const RegionRule& rule);

// Returns the place that the calling thread forks from by a rule: the root of the rule's plan, the
// thread's own place under this plan, or g_ruled_off. Returns null if the thread does not own the
// plan or its region is not bound. Then the thread forks as if there were no rule.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// Returns the rule's size for a team, or 0 if there is none. The size is never larger than a size
// that the runtime may have reported to the program. asked: as for team::fork_begin.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// begin_ruled() changes the runtime's own settings if necessary. Called on the encountering thread
// if it forks from a ruled_place(). After the region, end_ruled() restores the settings for GCC's
// entries, and put_sizes_back() (team_sizes.hpp) for the tool interface.
void begin_ruled(team::Team& team);
void end_ruled(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Sets the maximum of active levels that the rule needs. Returns the earlier maximum, or 0 if
// nothing was changed.
int set_levels(const team::Team& team);

// Whether the maximum of active levels is set inside the region, not before it. True for a region
// of one thread, because LLVM's runtime undoes the region's settings at the end of such a region.
bool sets_levels_inside(const team::Team& team);

}  // namespace nestbind::placement
