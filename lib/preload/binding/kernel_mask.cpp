// SPDX-License-Identifier: BSD-3-Clause
#include "binding/kernel_mask.hpp"

#include <string.h>

#include <atomic>

#include "binding/believed_mask.hpp"
#include "binding/thread.hpp"
#include "process/original_mask.hpp"
#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::binding {

constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec"))) = {};

constinit bool g_recorded = false;

namespace {

constinit std::atomic<const unsigned long*> g_machine{nullptr};
constinit std::size_t g_machine_bytes = 0;  // written before g_machine

constinit BelievedMask g_left;
constexpr long kBelieved = 1000;  // milliseconds

// Makes a system call, because sched_getaffinity() may be a hook.
bool get_affinity(MaskBuffer& buffer) {
  const support::ErrnoKept errno_kept;
  memset(&buffer, 0, sizeof buffer);
  return support::system_call(SYS_sched_getaffinity, 0, sizeof buffer, buffer.bits) > 0;
}

// Not inlined, so that a recorded binding saves no registers.
[[gnu::noinline]] bool set_affinity(const CpuMask& mask) {
  const support::ErrnoKept errno_kept;
  return support::system_call(SYS_sched_setaffinity, 0, mask.bytes, mask.bits) == 0;
}

CpuMask planned_machine() {
  const unsigned long* bits = g_machine.load(std::memory_order_acquire);
  return {bits == nullptr ? 0 : g_machine_bytes, bits};
}

}  // namespace

void record_masks() { g_recorded = true; }

void note_planned_machine(const CpuMask& everything) {
  g_machine_bytes = everything.bytes;
  g_machine.store(everything.bits, std::memory_order_release);
}

CpuMask bound_mask() { return t_thread.bound; }

bool bind_self(const CpuMask& mask, std::uintptr_t slot_id) {
  if (!g_recorded && !set_affinity(mask)) {
    return false;
  }
  t_thread.bound = mask;
  t_thread.slot_id = slot_id;
  return true;
}

void take_slot(std::uintptr_t slot_id) { t_thread.slot_id = slot_id; }

bool rebind_self() { return t_thread.bound.bits != nullptr && bind_self(t_thread.bound); }

void unbind_self() {
  if (self_is_bound() && kernel_mask_is(t_thread.bound)) {
    set_affinity(free_mask());
  }
  forget_binding();
}

CpuMask free_mask() {
  return t_thread.own.bits != nullptr ? t_thread.own : process::original_mask();
}

void forget_binding() {
  t_thread.bound = {};
  t_thread.slot_id = 0;
}

void bind_again(const CpuMask& bound) {
  MaskBuffer now;
  MaskBuffer widest;  // the free mask in the cpuset
  if (get_affinity(now) && !mask::is_same(now.view(), free_mask())) {
    widen_kernel_mask();
    if (get_affinity(widest) && !mask::is_same(now.view(), widest.view())) {
      restore_kernel_mask(now.view());
      t_thread.bound = bound;
      t_thread.slot_id = reinterpret_cast<std::uintptr_t>(bound.bits);
      return;
    }
  }
  bind_self(bound);
}

bool self_is_bound() { return t_thread.bound.bits != nullptr && !g_recorded; }

bool read_self(MaskBuffer& buffer) {
  if (!g_recorded) {
    return get_affinity(buffer);
  }
  memset(&buffer, 0, sizeof buffer);
  const CpuMask recorded = t_thread.bound.bits != nullptr ? t_thread.bound : planned_machine();
  if (recorded.bits == nullptr || recorded.bytes > sizeof buffer) {
    return false;
  }
  memcpy(buffer.bits, recorded.bits, recorded.bytes);
  return true;
}

bool read_cpuset(MaskBuffer& buffer) {
  MaskBuffer before;
  MaskBuffer all;
  memset(all.bits, 0xff, sizeof all.bits);
  if (g_recorded || !get_affinity(before) || !set_affinity({sizeof all.bits, all.bits})) {
    return false;
  }
  // A thread that has the whole cpuset keeps this request, so that it follows if the cpuset grows.
  const bool is_read = get_affinity(buffer);
  return is_read && (mask::is_same(before.view(), buffer.view()) || set_affinity(before.view()));
}

bool read_process_mask(MaskBuffer& buffer) {
  const CpuMask whole = free_mask();
  const long now = support::milliseconds_now();
  if (!self_is_bound()) {
    return false;
  }
  if (g_left.read(whole, now, buffer)) {
    return true;
  }
  const std::uintptr_t slot_id = t_thread.slot_id;
  t_thread.slot_id = 0;  // a signal handler may jump out before the end of this function
  const bool is_read = set_affinity(whole) && get_affinity(buffer);
  if (set_affinity(t_thread.bound)) {
    t_thread.slot_id = slot_id;
  }
  if (is_read) {
    g_left.write(whole, now + kBelieved, buffer);
  }
  return is_read;
}

bool kernel_mask_is(const CpuMask& mask) {
  MaskBuffer now;
  return mask.bits != nullptr && get_affinity(now) && mask::is_same(now.view(), mask);
}

void widen_kernel_mask() { restore_kernel_mask(free_mask()); }

void restore_kernel_mask(const CpuMask& mask) {
  if (mask.bits != nullptr && !g_recorded) {
    set_affinity(mask);
  }
}

}  // namespace nestbind::binding
