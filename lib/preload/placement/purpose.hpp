// SPDX-License-Identifier: BSD-3-Clause
// Which masks are meant for the process, among the masks that nestbind did not set. A mask is meant
// if the program or another process sets it for the owner of the plan, outside of regions. Such a
// mask becomes the process's mask, and the plan is made anew.
//
// A mask is not meant if an OpenMP runtime sets it, or if a thread sets it for itself in a region.
// The process's mask is not meant either, because nestbind reports it as the thread's mask outside
// of regions. A thread that sets this mask goes back to its slot. The slot's own mask is meant if
// the thread sets it.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace nestbind::placement {

// Called before a mask is set; `code` is the return address of the setting call. Returns whether an
// OpenMP runtime makes the call. If so, a present mask that is meant becomes the process's mask.
bool runtime_sets_mask(const void* code);

// Called after a mask was set, for a kernel thread (0: the calling thread) or a pthread handle. A
// thread that has given itself the process's mask goes back to its slot. Both functions may be
// called anywhere: in signal handlers, before constructors, in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime);
void note_mask_set_of(pthread_t thread, bool by_runtime);

// Called on a thread that forks outside of regions now or soon, if a plan is made or the thread is
// bound. Asks the kernel for the thread's mask, unless another thread owns the plan. If the mask is
// meant, it becomes the process's mask; otherwise the thread goes back to its slot.
void follow_own_mask();

// Called on a present or future root thread, if root threads divide the machine. A mask that is
// meant becomes the thread's own mask (Thread::own); otherwise the thread goes back to its slot.
void follow_mask_of_root();

// Like follow_own_mask, but for the owner's mask, on any thread. Called on members of an outermost
// team that is planned for the first time, and on threads that were moved. Asks the kernel at most
// once a second. The owner does not go back to its slot, because it is about to be bound.
void follow_mask_of_owner();

// Called on a member that a runtime may have moved. The member goes back to its slot, or to the
// process's mask. A mask that is meant stays, and the next fork follows it.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
