// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's affinity mask: the one seam between nestbind and the operating system, and
// the only place where masks are set. Two implementations stand behind it: the kernel, and, for dry
// runs on a machine that one does not have (NESTBIND_MACHINE), a recorder that only remembers.
// Everything keeps errno.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::binding {

using mask::CpuMask;
using mask::MaskBuffer;

// From then on masks are remembered, not set. Before any thread is bound.
void record_masks();
bool masks_are_recorded();

// All processors of the machine that is planned for, once it has been read: what the recorder tells
// of threads that are not bound. They stay where they are.
void note_planned_machine(const CpuMask& everything);

// Binds the calling thread to a mask that stays where it is. Returns false where the system
// refuses; then the thread stays as it was.
bool bind_self(const CpuMask& mask);

// Binds it once more where it is bound. Returns whether it is.
bool rebind_self();

// The calling thread has its mask at this slot. Of a thread that has just been bound, or that has
// not moved since.
void take_slot(std::uintptr_t slot_id);

// Gives the calling thread the process's mask, if it is bound; one that somebody has set since
// stays.
void unbind_self();

// What the calling thread was last bound to; no bits: nothing, or the process's mask.
CpuMask bound_mask();

// Whether the calling thread's mask in the kernel is one that nestbind has set.
bool self_is_bound();

// The calling thread's mask as the kernel (the recorder) tells. Returns false if it cannot be read.
bool read_self(MaskBuffer& buffer);

// Another thread's of this process, by its number in the kernel. Returns false with the recorder.
bool read_thread(int thread, MaskBuffer& buffer);

// On a bound thread: the process's mask, as far as the thread's cpuset still has it. The thread has
// it for a moment, at most once a second: some libraries ask at every call. Returns false where the
// system refuses.
bool read_process_mask(MaskBuffer& buffer);

// For threads and children that begin with the mask of a bound thread: whether the calling thread
// has exactly this mask in the kernel; and the process's mask for it, without a record.
bool kernel_mask_is(const CpuMask& mask);
void widen_kernel_mask();

// Gives this mask back in the kernel, without a record.
void restore_kernel_mask(const CpuMask& mask);

// The calling thread's record says that nothing is bound (after fork, in the child).
void forget_binding();

// The calling thread was bound to this mask, had the process's for a while, and is bound again; one
// that somebody has set meanwhile stays.
void bind_again(const CpuMask& bound);

}  // namespace nestbind::binding
