// SPDX-License-Identifier: BSD-3-Clause
// A fork whose region has a rule of its own: what it is planned from, and how large it is.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "placement/region_rules.hpp"

namespace nestbind::placement {

// Whether a place is in a team that a rule is for, or in one below that.
bool is_ruled(const Place* place);

// The place that the calling thread hands on in such a region: the root of the rule's plan, its own
// place under that, or g_ruled_off. Null where it forks as if there were no rule: by a thread that
// does not own the plan, or in a region that is not bound.
const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule);

// Whether the place that the calling thread has handed on last is what it would hand on once more.
bool is_ruled_as_before(const omp::Calls& runtime, const RegionRule& rule);

// The size of the team that is forked from a ruled place, asked for as in team::fork_begin: the
// rule's, as long as that is not more than the program may have been told. 0: not the rule's.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// On the encountering thread, whose fork gets that size, or none (0); the runtime's own settings
// follow where they have to, and are put back after the region. With GCC's entries that is when
// `end_ruled` is called; the tool interface tells by put_sizes_back (team_sizes.hpp).
void begin_ruled(team::Team& team, const Place& place, unsigned size, unsigned before);
void end_ruled(const team::Member& member, team::Team& joined);

}  // namespace nestbind::placement
