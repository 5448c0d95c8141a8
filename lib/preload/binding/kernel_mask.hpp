// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's affinity mask. Only this file sets masks. There are two implementations: the
// kernel, and a recorder that only remembers masks. The recorder is for dry runs on another machine
// (NESTBIND_MACHINE). All functions keep errno.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::binding {

using mask::CpuMask;
using mask::MaskBuffer;

// From now on, masks are only remembered, and not set. Must be called before any thread is bound.
void record_masks();
bool masks_are_recorded();

// Notes all processors of the planned machine, after the machine was read. The recorder reports
// this mask for threads that are not bound. The bits must stay at their address.
void note_planned_machine(const CpuMask& everything);

// Binds the calling thread to a mask, whose bits must stay at their address. If the system
// refuses, the thread keeps its mask, and the result is false.
bool bind_self(const CpuMask& mask);

// If the calling thread is bound, sets its mask again. Returns whether the thread is bound.
bool rebind_self();

// Notes to which slot the calling thread's mask belongs. The mask must not have changed since the
// thread was bound.
void take_slot(std::uintptr_t slot_id);

// Gives the calling thread the process's mask if the thread is bound and still has nestbind's mask.
void unbind_self();

// Returns the calling thread's mask from nestbind, or no bits if the thread is not bound.
CpuMask bound_mask();

// Whether nestbind has set the calling thread's mask in the kernel.
bool self_is_bound();

// Reads the calling thread's mask from the kernel or the recorder. Returns false on failure.
bool read_self(MaskBuffer& buffer);

// Reads the mask of a thread of this process, by its kernel number. The recorder returns false.
bool read_thread(int thread, MaskBuffer& buffer);

// Reads the process's mask without the processors that the cpuset of the calling thread removes.
// The thread must be bound. To learn these processors, gives the thread the process's mask for a
// moment, at most once a second. (Some libraries ask for masks very often.) Returns false if the
// system refuses.
bool read_process_mask(MaskBuffer& buffer);

// For threads and children that begin with the mask of a bound thread. kernel_mask_is() returns
// whether the calling thread has this mask in the kernel. widen_kernel_mask() sets the process's
// mask in the kernel. Neither function changes the thread's record.
bool kernel_mask_is(const CpuMask& mask);
void widen_kernel_mask();

// Sets this mask in the kernel for the calling thread, and does not change the thread's record.
void restore_kernel_mask(const CpuMask& mask);

// Notes that the calling thread is not bound. Called in the child after fork.
void forget_binding();

// Binds the calling thread to this mask again, after the thread had the process's mask for a while.
// Does nothing if another mask was set in the meantime.
void bind_again(const CpuMask& bound);

}  // namespace nestbind::binding
