// SPDX-License-Identifier: BSD-3-Clause
// What observers are told of the places that threads take.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// The first three only where somebody listens.

// On a thread that forks at a place (null: not planned), in a region that is there.
void tell_fork(const Place* place, const void* code);

// On a member that has just been bound. The team is told of once, when all its members have been
// here.
void note_seen(const Place& place, const Planned& team);

// On a member that leaves its place (null: it had none).
void tell_left(const Place* place);

// In a forked child: teams that its parent has had are new.
void forget_seen_in_child();

// On a thread that has just taken this place's slot, and on one that has none any more.
void tell_slot(const Place& place, bool is_bound);
void tell_no_slot();

// On a member in its region, once it is bound: the line that OMP_DISPLAY_AFFINITY asks for, where
// the runtime's own is kept back; by the runtime, so in its form and to where it prints. One that
// would be the same as the thread's last is left out.
void display_self(const omp::Calls& runtime);

// Binds the calling thread where a place says, and tells observers; warns, once, where the system
// refuses.
void bind_to(const Place& place);

}  // namespace nestbind::placement
