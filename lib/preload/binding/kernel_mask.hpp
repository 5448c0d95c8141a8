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

// From now on masks are remembered, not set. Must be called before any thread is bound.
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

// Notes the slot of the calling thread's mask. The thread must not have moved since it was bound.
void take_slot(std::uintptr_t slot_id);

// If the calling thread is bound, gives it the process's mask, unless another mask was set.
void unbind_self();

// The mask to which the calling thread was bound last; no bits: it is not bound.
CpuMask bound_mask();

// Whether nestbind has set the calling thread's mask in the kernel.
bool self_is_bound();

// Reads the calling thread's mask from the kernel or the recorder. Returns false on failure.
bool read_self(MaskBuffer& buffer);

// Reads the mask of a thread of this process, by its kernel number. The recorder returns false.
bool read_thread(int thread, MaskBuffer& buffer);

// For a bound thread: reads the process's mask without the processors that the thread's cpuset
// removes. For this the thread has the process's mask for a moment. This happens at most once a
// second, because some libraries often ask for masks. Returns false if the system refuses.
bool read_process_mask(MaskBuffer& buffer);

// For threads and children that begin with a bound thread's mask. kernel_mask_is says whether the
// kernel has this mask; widen_kernel_mask sets the process's mask. Neither changes the record.
bool kernel_mask_is(const CpuMask& mask);
void widen_kernel_mask();

// Gives the calling thread this mask in the kernel, and does not change its record.
void restore_kernel_mask(const CpuMask& mask);

// For the child after fork: notes that the calling thread is not bound.
void forget_binding();

// The calling thread was bound to this mask, and then had the process's mask for a while. Binds the
// thread again, unless another mask was set in the meantime.
void bind_again(const CpuMask& bound);

}  // namespace nestbind::binding
