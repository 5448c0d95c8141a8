// SPDX-License-Identifier: BSD-3-Clause
// Outside of regions, the program or another process may set a thread's mask. nestbind then assumes
// that the mask is "meant" for the whole process. A meant mask of the plan's owner becomes the
// process's mask.
//
// A mask is not meant if a runtime sets it. A mask that a thread sets in a region is not meant,
// either.
//
// Outside of regions, sched_getaffinity returns the process's mask on a bound thread. If the thread
// then sets this mask, nestbind binds the thread to its slot again.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace nestbind::placement {

// Returns true if an OpenMP runtime is about to set a mask. `code` is the return address of the
// call. Before the runtime replaces a meant mask, this mask becomes the process's mask.
bool runtime_sets_mask(const void* code);

// A kernel thread number of 0 means the calling thread. Both functions may be called in signal
// handlers, before constructors and in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime);
void note_mask_set_of(pthread_t thread, bool by_runtime);

// Does nothing if another thread owns the plan. If the thread's mask is meant, the process gets
// this mask. Otherwise a bound thread goes back to its slot.
void follow_own_mask();

// Like follow_own_mask, but a meant mask becomes the root thread's own mask (Thread::own).
void follow_mask_of_root();

// Like follow_own_mask, but follows the owner's mask. Any thread may call this. Asks the kernel at
// most once a second. Does not bind the owner, which is about to be bound.
void follow_mask_of_owner();

// Binds the calling member to its slot again. An unbound member gets the process's mask. A meant
// mask of the owner stays until the next fork.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
