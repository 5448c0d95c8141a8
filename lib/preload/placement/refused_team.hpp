// SPDX-License-Identifier: BSD-3-Clause
// Nesting that is off: finds inner regions that asked for several threads, and have one.
#pragma once

#include "team/team.hpp"

namespace nestbind::placement {

[[gnu::noinline]] void tell_if_refused(const team::Team& team);

// Call this on a member of the team, inside the region, if its place is new. Tells observers of the
// first such region of the process.
inline void note_if_refused(const team::Team& team) {
  if (team.size == 1 && team.asked > 1) {
    tell_if_refused(team);
  }
}

}  // namespace nestbind::placement
