// SPDX-License-Identifier: BSD-3-Clause
// Setting and reading the calling thread's affinity mask: the one seam between nestbind and the
// operating system. Two implementations stand behind it: the kernel, and, for dry runs on a machine
// that one does not have (NESTBIND_MACHINE), a recorder that only remembers.
#pragma once

#include <cstddef>

#include "planner/planner.hpp"
#include "runtime/fork.hpp"

namespace nestbind::runtime {

using mask::MaskBuffer;

// From then on masks are remembered, not set. Before any thread is bound.
void record_masks();
bool masks_are_recorded();

// The mask that the process was started with; no bits if it could not be read.
CpuMask process_mask();

// Binds the calling thread to a mask that stays where it is. Returns false where the system
// refuses; then the thread stays as it was. Keeps errno.
bool bind_self(const CpuMask& mask);

// Gives the calling thread the process's mask.
void unbind_self();

// What the calling thread was last bound to; no bits: nothing, or the process's mask.
CpuMask bound_mask();

// The calling thread's mask as the kernel (the recorder) tells. Returns false if it cannot be read.
bool read_self(MaskBuffer& buffer);

// For threads and children that begin with the mask of a bound thread: whether the calling thread
// has exactly this mask in the kernel; and the process's mask for it, without a record.
bool kernel_mask_is(const CpuMask& mask);
void set_kernel_mask(const CpuMask& mask);

// The calling thread's record says that nothing is bound (after fork, in the child).
void forget_binding();

}  // namespace nestbind::runtime
