// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/masks.hpp"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/thread.hpp"

namespace nestbind::runtime {

namespace {

constinit MaskBuffer g_process{};
constinit std::size_t g_process_bytes = 0;
constinit bool g_learnt = false;
constinit bool g_recorded = false;
constinit std::atomic<const unsigned long*> g_machine{nullptr};
constinit std::size_t g_machine_bytes = 0;

// The raw calls: the C library's take a cpu_set_t, and programs interpose them.
long get_affinity(MaskBuffer& buffer) {
  const int saved = errno;
  memset(&buffer, 0, sizeof buffer);
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof buffer, buffer.bits);
  errno = saved;
  return bytes;
}

bool set_affinity(const CpuMask& mask) {
  const int saved = errno;
  const long result = syscall(SYS_sched_setaffinity, 0, mask.bytes, mask.bits);
  errno = saved;
  return result == 0;
}

CpuMask planned_machine() {
  const unsigned long* bits = g_machine.load(std::memory_order_acquire);
  return {bits == nullptr ? 0 : g_machine_bytes, bits};
}

}  // namespace

void record_masks() { g_recorded = true; }
bool masks_are_recorded() { return g_recorded; }

void note_planned_machine(const CpuMask& everything) {
  g_machine_bytes = everything.bytes;
  g_machine.store(everything.bits, std::memory_order_release);
}

void learn_process_mask() {
  if (g_learnt) {
    return;
  }
  g_learnt = true;
  const long bytes = get_affinity(g_process);
  g_process_bytes = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

CpuMask process_mask() { return {g_process_bytes, g_process_bytes > 0 ? g_process.bits : nullptr}; }

CpuMask bound_mask() { return t_thread.bound; }

bool bind_self(const CpuMask& mask) {
  if (!g_recorded && !set_affinity(mask)) {
    return false;
  }
  t_thread.bound = mask;
  return true;
}

void unbind_self() {
  if (t_thread.bound.bits != nullptr && !g_recorded) {
    set_affinity(process_mask());
  }
  t_thread.bound = {};
}

void forget_binding() { t_thread.bound = {}; }

bool self_is_bound() { return t_thread.bound.bits != nullptr && !g_recorded; }

bool read_process_mask(void* mask, std::size_t bytes) {
  // Callers leave out what is behind the last processor, the kernel does not.
  const auto* known = reinterpret_cast<const unsigned char*>(g_process.bits);
  std::size_t used = g_process_bytes;
  while (used > 0 && known[used - 1] == 0) {
    --used;
  }
  if (used == 0 || bytes < used) {
    return false;
  }
  memset(mask, 0, bytes);
  memcpy(mask, known, used);
  return true;
}

bool read_self(MaskBuffer& buffer) {
  if (!g_recorded) {
    return get_affinity(buffer) > 0;
  }
  memset(&buffer, 0, sizeof buffer);
  const CpuMask recorded = t_thread.bound.bits != nullptr ? t_thread.bound : planned_machine();
  if (recorded.bits == nullptr || recorded.bytes > sizeof buffer) {
    return false;
  }
  memcpy(buffer.bits, recorded.bits, recorded.bytes);
  return true;
}

bool kernel_mask_is(const CpuMask& mask) {
  MaskBuffer now;
  return mask.bits != nullptr && get_affinity(now) > 0 && mask::is_same(now.view(), mask);
}

void set_kernel_mask(const CpuMask& mask) {
  if (mask.bits != nullptr && !g_recorded) {
    set_affinity(mask);
  }
}

}  // namespace nestbind::runtime
