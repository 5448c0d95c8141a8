// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's affinity mask. A dry run for another machine (NESTBIND_MACHINE) uses a
// recorder that only remembers masks. All functions keep errno.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::binding {

using mask::CpuMask;
using mask::MaskBuffer;

// Must be called before any thread is bound.
void record_masks();
extern bool g_recorded __attribute__((visibility("hidden")));
inline bool masks_are_recorded() { return g_recorded; }

// Sets the mask that the recorder reports for unbound threads. The bits must stay at their address.
void note_planned_machine(const CpuMask& everything);

// Binds the calling thread to a mask, which belongs to a slot. The mask's bits must stay at their
// address. Returns false if the system refuses.
bool bind_self(const CpuMask& mask, std::uintptr_t slot_id);
// The slot is not known.
inline bool bind_self(const CpuMask& mask) {
  return bind_self(mask, reinterpret_cast<std::uintptr_t>(mask.bits));
}

// If the calling thread is bound, sets its mask again.
bool rebind_self();

// Notes to which slot the calling thread's mask belongs. The mask must not have changed since the
// thread was bound, because a thread with a known slot is not bound again.
void take_slot(std::uintptr_t slot_id);

// Gives the calling thread its free mask if the thread is bound and still has nestbind's mask. The
// mask changes only if no other mask was set since the binding.
void unbind_self();

// Returns the mask that the calling thread has if it is not bound: the mask that its root thread
// has set for itself, otherwise the process's mask. Helper threads and child processes begin with
// this mask.
CpuMask free_mask();

// Returns the mask that nestbind has set for the calling thread, or an empty mask.
CpuMask bound_mask();

bool self_is_bound();

bool read_self(MaskBuffer& buffer);

// Reads which processors the cpuset of the calling thread has. Gives the thread all of them for a
// moment. Returns false if the system refuses. The recorder returns false.
bool read_cpuset(MaskBuffer& buffer);

// Reads the thread's free mask without the processors that the cpuset of the calling thread
// removes. Gives the thread its free mask for a moment, at most once a second. Returns false if the
// thread is not bound, or if the system refuses.
bool read_process_mask(MaskBuffer& buffer);

// These functions do not change the thread's record.
bool kernel_mask_is(const CpuMask& mask);
void widen_kernel_mask();

void restore_kernel_mask(const CpuMask& mask);

void forget_binding();

// Binds the calling thread to this mask again, after the thread had the process's mask for a while.
// Does nothing if another mask was set in the meantime.
void bind_again(const CpuMask& bound);

}  // namespace nestbind::binding
