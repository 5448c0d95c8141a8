// SPDX-License-Identifier: BSD-3-Clause
// Reports to observers which places threads take.
#pragma once

#include "binding/kernel_mask.hpp"
#include "places/place.hpp"
#include "support/text_writer.hpp"

namespace nestbind::placement {

// Called on each member of a team. The last call reports the team.
void note_seen(const Place& place, const Planned& team);

void tell_left(const Place* place);

// Makes a forked child report all teams again.
void forget_seen_in_child();

// Called on a thread that has just taken or lost a slot.
void tell_new_slot(const Place& place, bool is_bound);
inline void tell_slot(const Place& place, bool is_bound) {
  if (!binding::masks_are_recorded()) {
    tell_new_slot(place, is_bound);
  }
}

// Prints a bound member's line for OMP_DISPLAY_AFFINITY if the runtime's own line is suppressed. A
// repeated line is not printed.
void display_self(const omp::Calls& runtime);

// Prints the team's warning that threads share slots, once per specification.
void tell_crowd(const Planned& team);

// Unbinds a bound thread that has no place any more.
void stand_up();

// Gives the calling thread the process's mask until its next fork. Called when an OpenMP runtime
// starts on this thread, before the runtime counts the processors.
void runtime_starts();

// Copies `format`, but replaces the field "%A" by the thread's real processors. If `format` is null
// or empty, copies the runtime's own format.
bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text);

// Returns the first of the runtime's places that contains all processors of the thread, or -1.
int affinity_place(const omp::Calls& runtime);

bool is_bound_member();

// Binds the calling thread to a place, and reports the place. Warns once if the kernel refuses.
void bind_to(const Place& place);

// The enclosing regions of several threads, as the runtime counts them.
int active_levels(const omp::Calls& runtime);

[[gnu::noinline]] void tell_if_refused(const team::Team& team);

// Finds an inner region that asked for several threads, and has one because nesting is off. Called
// on a member inside the region, if its place is new. Tells observers of the first such region of
// the process.
inline void note_if_refused(const team::Team& team) {
  if (team.size == 1 && team.asked > 1) {
    tell_if_refused(team);
  }
}

}  // namespace nestbind::placement
