// SPDX-License-Identifier: BSD-3-Clause
// Reports to observers which places threads take.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// The first three are called only if there is an observer.

// On a thread that forks at a place (null: not planned). code: the region's address.
void tell_fork(const Place* place, const void* code);

// On a member that has just been bound. The team is reported once, when all members were here.
void note_seen(const Place& place, const Planned& team);

// On a member that leaves its place (null: it had none).
void tell_left(const Place* place);

// In a forked child: teams that the parent has reported count as new.
void forget_seen_in_child();

// On a thread that has just taken this place's slot, and on a thread that has lost its slot.
void tell_slot(const Place& place, bool is_bound);
void tell_no_slot();

// On a member in its region, after it is bound: prints the line that OMP_DISPLAY_AFFINITY asks for,
// if the runtime's own line is suppressed. The runtime prints the line, in its own form and to its
// own output. A line equal to the thread's last one is left out.
void display_self(const omp::Calls& runtime);

// Binds the calling thread to a place, and reports the place. Warns once if the kernel refuses.
void bind_to(const Place& place);

}  // namespace nestbind::placement
