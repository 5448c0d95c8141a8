// SPDX-License-Identifier: BSD-3-Clause
// Whether the calling thread is outside of regions.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "places/place.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

inline int level_in(const omp::Calls& runtime) {
  return team::is_known_outside(runtime) ? 0 : runtime.get_level();
}

// Removes a place in an unreported region that has ended. Call this before you read the place.
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

inline bool is_outside_regions() {
  leave_untracked(binding::t_thread);
  return own_place() == nullptr;
}

}  // namespace nestbind::placement
