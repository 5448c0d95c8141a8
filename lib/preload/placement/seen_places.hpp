// SPDX-License-Identifier: BSD-3-Clause
// Reports to observers which places threads take.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

void tell_fork(const Place* place, const void* code);

// Called on each member of a team. The last call reports the team.
void note_seen(const Place& place, const Planned& team);

void tell_left(const Place* place);

// Makes a forked child report all teams again.
void forget_seen_in_child();

// Called on a thread that has just taken or lost a slot.
void tell_slot(const Place& place, bool is_bound);
void tell_no_slot();

// Prints a bound member's line for OMP_DISPLAY_AFFINITY if the runtime's own line is suppressed. A
// repeated line is not printed.
void display_self(const omp::Calls& runtime);

// Binds the calling thread to a place, and reports the place. Warns once if the kernel refuses.
void bind_to(const Place& place);

}  // namespace nestbind::placement
