// SPDX-License-Identifier: BSD-3-Clause
// The sizes that a region's rule sets, for one fork.
#pragma once

#include "omp/calls.hpp"
#include "places/place.hpp"

namespace nestbind::placement {

// Returns 0 if the rule sets no size. The size never exceeds omp_get_max_threads(), because the
// program may rely on this limit.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// Called before the fork, and after the region. For GCC's entries, end_ruled_sizes() restores the
// settings after the region. For the tool interface, put_back() restores the settings.
void begin_ruled_sizes(team::Team& team);
void end_ruled_sizes(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Restores the runtime's settings that a rule has changed.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

// Called on each member of a team whose rule has set something. In LLVM's runtime, the inner teams
// of members get the rule's size, too. If the rule has no size for the inner level, restores the
// setting from before the fork.
void begin_ruled_member(const team::Member& member, const team::Team& told);

// Called on the forking thread when a rule has changed settings. May be null.
extern std::atomic<void (*)(const omp::Calls& runtime)> g_when_size_is_set
    __attribute__((visibility("hidden")));

}  // namespace nestbind::placement
