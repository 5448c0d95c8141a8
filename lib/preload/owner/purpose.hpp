// SPDX-License-Identifier: BSD-3-Clause
// Outside of regions, the program or another process may set a thread's mask. nestbind then assumes
// that the mask is "meant". A meant mask of the plan's owner becomes the process's mask. A meant
// mask of another root thread becomes this thread's own mask (Thread::own).
//
// A mask is not meant if a runtime sets it. A mask that a thread sets in a region is not meant,
// either.
//
// Outside of regions, sched_getaffinity returns the free mask on a bound thread. If the thread then
// sets this mask, nestbind binds the thread to its slot again.
//
// A cpuset may lose and gain processors while the process runs. The process's mask follows: it has
// the processors that the process was started with (or all, if it was started with the whole
// cpuset), within the cpuset.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

#include "binding/thread.hpp"
#include "support/clock.hpp"

namespace nestbind::placement {

// Increases after the program has set another mask for the process. Never 0.
extern std::atomic<unsigned> g_mask_changes;

// Returns true if an OpenMP runtime is about to set a mask. `code` is the return address of the
// call. Before the runtime replaces a meant mask, this mask becomes the process's mask.
bool runtime_sets_mask(const void* code);

// True if nestbind places the program's threads. A mask that a runtime's constructor then sets has
// no purpose.
bool places_instead_of_runtime();

// A kernel thread number of 0 means the calling thread. code: the return address of the call. Both
// functions may be called in signal handlers, before constructors and in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime, const void* code);
void note_mask_set_of(pthread_t thread, bool by_runtime, const void* code);

// Called on a root thread outside of regions. If the thread's mask is meant, the process gets this
// mask (on the owner), or the thread gets it (on other threads). Otherwise a bound thread goes back
// to its slot.
void follow_own_mask();

// True once a second: then look_again() is due. Usually reads only the processor's counter.
bool second_has_passed();
inline bool is_look_due(const binding::Thread& thread) {
  return support::ticks() >= thread.next_look && second_has_passed();
}

// Reads the calling thread's mask and its cpuset, outside of regions.
void look_again();

// Binds the calling member to its slot again. An unbound member gets its free mask. A meant mask of
// the owner stays until the next fork.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
