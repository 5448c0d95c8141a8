// SPDX-License-Identifier: BSD-3-Clause
// A fork whose region has a rule of its own: what it is planned from, and how large it is.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// Whether a region that is forked at a place follows its rule: in a team that a rule is for, and
// below, "*" does not count, nor does that rule itself, which may have lines of inner regions, too.
bool follows_rule(const Place* place, const RegionRule& rule);

// The place that the calling thread hands on in such a region: the root of the rule's plan, its own
// place under that, or g_ruled_off. Null where it forks as if there were no rule: by a thread that
// does not own the plan, or in a region that is not bound.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// How many threads the rule of a ruled place gives a team that is asked for as in team::fork_begin:
// never more than the program may have been told. 0: it does not say.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// On the encountering thread, whose fork begins from a ruled place: the runtime's own settings
// follow where they have to, and are as before after the region. GCC's entries tell of that by
// `end_ruled`, the tool interface by put_sizes_back (team_sizes.hpp).
void begin_ruled(team::Team& team);
void end_ruled(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// The levels that the rule needs are active from now on. Returns how many were before; 0: as many.
int set_levels(const team::Team& team);

// Whether they are set in the region, not before: LLVM's runtime forgets with a region of one
// thread what is set in it, at its end, too.
bool sets_levels_inside(const team::Team& team);

}  // namespace nestbind::placement
