// SPDX-License-Identifier: BSD-3-Clause
// Decides which masks are for the whole process, among the masks that nestbind did not set. The
// code calls these masks "meant". The program or another process may set a mask for the owner of
// the plan, outside of regions. The owner's new mask becomes the process's mask.
//
// A mask is for one thread if a runtime sets it, or if a thread sets it in a region. Outside of
// regions, nestbind tells a bound thread the process's mask. A thread that sets this mask goes back
// to its slot.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace nestbind::placement {

// code: the return address of the setting call. Returns whether an OpenMP runtime sets the mask.
// Before a runtime's call, a mask from the program becomes the process's mask.
bool runtime_sets_mask(const void* code);

// thread: a kernel thread number, 0 for the calling thread, or a pthread handle. Both functions may
// be called anywhere: in signal handlers, before constructors, in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime);
void note_mask_set_of(pthread_t thread, bool by_runtime);

// Called on a thread that forks outside of regions now or soon. Asks the kernel for the thread's
// mask, unless another thread owns the plan. A mask from the program becomes the process's mask.
// After another mask, the thread goes back to its slot.
void follow_own_mask();

// Like follow_own_mask, but a mask from the program becomes the root thread's own mask
// (Thread::own).
void follow_mask_of_root();

// Like follow_own_mask, but for the owner's mask, on any thread. Asks the kernel at most once a
// second. The owner does not go back to its slot, because it is about to be bound.
void follow_mask_of_owner();

// The member goes back to its slot, or to the process's mask. If the program gave the owner a new
// mask, this mask stays until the next fork.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
