// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's affinity mask. Masks are set here and nowhere else. There are two
// implementations: the kernel, and a recorder that only remembers masks. The recorder is for dry
// runs on a machine that is not there (NESTBIND_MACHINE). All functions keep errno.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::binding {

using mask::CpuMask;
using mask::MaskBuffer;

// From now on masks are remembered, not set. To be called before any thread is bound.
void record_masks();
bool masks_are_recorded();

// Sets all processors of the planned machine, after the machine was read. The recorder reports this
// mask for threads that are not bound. The bits must stay at their address.
void note_planned_machine(const CpuMask& everything);

// Binds the calling thread to a mask, whose bits must stay at their address. Returns false if the
// system refuses; then the thread keeps its mask.
bool bind_self(const CpuMask& mask);

// Binds the calling thread again to its bound mask. Returns whether the thread is bound.
bool rebind_self();

// Notes the slot of the calling thread's mask. The thread was just bound, or has not moved since.
void take_slot(std::uintptr_t slot_id);

// Gives the calling thread, if bound, the process's mask. A mask that was set since stays.
void unbind_self();

// The mask that the calling thread was last bound to; no bits: no mask, or the process's mask.
CpuMask bound_mask();

// Whether nestbind has set the calling thread's mask in the kernel.
bool self_is_bound();

// Reads the calling thread's mask from the kernel or the recorder. Returns false on failure.
bool read_self(MaskBuffer& buffer);

// Reads the mask of another thread of this process, by its kernel number. False with the recorder.
bool read_thread(int thread, MaskBuffer& buffer);

// For a bound thread: reads the process's mask, less what the thread's cpuset takes away. For this
// the thread sets the process's mask for a moment, at most once a second, since some libraries ask
// at every call. Returns false if the system refuses.
bool read_process_mask(MaskBuffer& buffer);

// For threads and children that begin with a bound thread's mask. kernel_mask_is says whether the
// kernel has exactly this mask; widen_kernel_mask sets the process's mask. Neither writes a record.
bool kernel_mask_is(const CpuMask& mask);
void widen_kernel_mask();

// Gives the calling thread this mask in the kernel, and writes no record.
void restore_kernel_mask(const CpuMask& mask);

// Notes that the calling thread is not bound (in the child, after fork).
void forget_binding();

// The calling thread was bound to this mask, and then had the process's mask for a while. Binds the
// thread again, unless another mask was set since.
void bind_again(const CpuMask& bound);

}  // namespace nestbind::binding
