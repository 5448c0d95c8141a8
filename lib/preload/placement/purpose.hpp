// SPDX-License-Identifier: BSD-3-Clause
// Masks that others than we set, and which of them are meant for the process: those of the thread
// that owns the plan, set outside of regions, by the program or from outside of the process. The
// process's mask is such a one from then on, and the plan is made anew.
//
// Not meant are what an OpenMP runtime sets, what a thread sets of itself in a region, and the
// process's mask, which questions for the thread's mask are answered with outside of regions; then
// it goes back to its slot. That of its slot is meant if the thread itself sets it.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace nestbind::placement {

// A mask is about to be set, by a call before `code`. Returns whether that is an OpenMP
// runtime's; then the mask that the thread has until now may be meant, and is followed.
bool runtime_sets_mask(const void* code);

// A mask has been set: of a thread of the kernel's (0: the calling one), or by its handle. A thread
// that has given itself the process's mask goes back to its slot. These may be called anywhere: in
// signal handlers, before constructors, in a child of vfork.
void note_mask_set(pid_t thread, bool by_runtime);
void note_mask_set_of(pthread_t thread, bool by_runtime);

// On a thread that forks from outside of regions or is about to, where a plan is made or the thread
// is bound: asks the kernel for its mask, unless another thread owns the plan. Then that is the
// process's, if it is meant; otherwise the thread goes back to its slot.
void follow_own_mask();

// On a thread that is a root, or may become one, where roots divide the machine: the mask that it
// has is its own (Thread::own), if it is meant; otherwise the thread goes back to its slot.
void follow_mask_of_root();

// The same as follow_own_mask for a team of the outermost level that is planned for the first time,
// on any of its members, and for others that find themselves moved: asks once a second. The owner
// itself does not go back, for it is about to be bound.
void follow_mask_of_owner();

// On a member that others than we may have moved: it goes back to where it is bound, or to the
// process's mask. A mask that is meant stays, and is followed by the next fork.
void undo_runtime_s_mask();

}  // namespace nestbind::placement
