// SPDX-License-Identifier: BSD-3-Clause
// Reports to observers which places threads take.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// The first three functions are called only if there is an observer.

// Reports the calling thread's fork at `place` (null if not planned). code: the region's address.
void tell_fork(const Place* place, const void* code);

// Called on a newly bound member. The last member of a team to call this reports the team.
void note_seen(const Place& place, const Planned& team);

// Reports that a member leaves its place (null if the member had no place).
void tell_left(const Place* place);

// Called in a forked child. Then the child also reports teams that its parent has reported.
void forget_seen_in_child();

// Called on a thread that has just taken this place's slot, or has lost its slot.
void tell_slot(const Place& place, bool is_bound);
void tell_no_slot();

// Called on a bound member in its region: prints the line that OMP_DISPLAY_AFFINITY asks for, if
// the runtime's own line is suppressed. The runtime itself formats and prints the line. A line that
// equals the thread's last line is not printed.
void display_self(const omp::Calls& runtime);

// Binds the calling thread to a place, and reports the place. Warns once if the kernel refuses.
void bind_to(const Place& place);

}  // namespace nestbind::placement
