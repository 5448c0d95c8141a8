// SPDX-License-Identifier: BSD-3-Clause
// What the end of a region takes back.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

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
