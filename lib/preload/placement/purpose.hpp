// SPDX-License-Identifier: BSD-3-Clause
// A mask from the program or from another process is for one thread or for the whole process. The
// code calls a mask for the process "meant". If the owner of the plan gets a new mask outside of
// regions, this mask becomes the process's mask.
//
// A mask is for one thread if a runtime sets it, or if a thread sets it in a region. Outside of
// regions, nestbind tells a bound thread the process's mask. A thread that sets this mask goes back
// to its slot.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace nestbind::placement {

// Returns true if an OpenMP runtime is about to set a mask. `code` is the return address of the
// call. If the program has set the thread's present mask, the process gets this mask first.
bool runtime_sets_mask(const void* code);

// A kernel thread number of 0 means the calling thread. Both functions may be called in signal
// handlers, before constructors and in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime);
void note_mask_set_of(pthread_t thread, bool by_runtime);

// Called on a thread that forks outside of regions now or soon. Does nothing if another thread owns
// the plan. If the program has set the thread's mask, the process gets this mask. If a runtime has
// set the mask, the thread goes back to its slot.
void follow_own_mask();

// Like follow_own_mask, but a mask from the program becomes the root thread's own mask
// (Thread::own).
void follow_mask_of_root();

// Like follow_own_mask, but follows the owner's mask. Any thread may call this. Asks the kernel at
// most once a second. Does not bind the owner, which is about to be bound.
void follow_mask_of_owner();

// Binds the calling member to its slot again. An unbound member gets the process's mask. If the
// program gave the owner a new mask, this mask stays until the next fork.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
