// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Whether the calling thread is in no region, of whatever size, that a source has told of.
bool is_outside_regions();

// The level that the calling thread is at in a runtime; 0: outside of regions. Where our own record
// says that it is outside, the runtime is not asked.
inline int level_in(const omp::Calls& runtime) {
  return team::is_known_outside(runtime) ? 0 : runtime.get_level();
}

// The end of a region whose beginning was not seen is not seen either: whoever looks at the place
// that the calling thread had there asks first.
inline void leave_untracked(binding::Thread& thread) {
  const Place* const place = own_place();
  if (thread.untracked_in != nullptr && place != nullptr &&
      thread.untracked_in->get_level() < place->level) {
    team::t_here.member->place = nullptr;
    if (team::t_here.member->team->kind == team::Team::Kind::kUnseen) {
      team::t_here.member = nullptr;
    }
    thread.untracked_in = nullptr;
  }
}

}  // namespace nestbind::placement
