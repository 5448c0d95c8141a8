// SPDX-License-Identifier: BSD-3-Clause
#include "process/original_mask.hpp"

#include <string.h>

#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::process {

namespace {

constinit mask::MaskBuffer g_mask{};
constinit std::size_t g_bytes = 0;
constinit bool g_learnt = false;

}  // namespace

void learn_original_mask() {
  if (g_learnt) {
    return;
  }
  g_learnt = true;
  const support::ErrnoKept errno_kept;
  // The raw call: the C library's takes a cpu_set_t, and programs interpose it.
  const long bytes = support::system_call(SYS_sched_getaffinity, 0, sizeof g_mask, g_mask.bits);
  g_bytes = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

mask::CpuMask original_mask() { return {g_bytes, g_bytes > 0 ? g_mask.bits : nullptr}; }

bool read_original_mask(void* mask, std::size_t bytes) {
  // Callers leave out what is behind the last processor, the kernel does not.
  const auto* known = reinterpret_cast<const unsigned char*>(g_mask.bits);
  std::size_t used = g_bytes;
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

}  // namespace nestbind::process
