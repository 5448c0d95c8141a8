// SPDX-License-Identifier: BSD-3-Clause
#include "process/original_mask.hpp"

#include <stdio.h>
#include <string.h>

#include <atomic>

#include "options/settings.hpp"
#include "process/once.hpp"
#include "support/allocate.hpp"
#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::process {

namespace {

struct Known {
  mask::MaskBuffer mask{};
  std::size_t bytes = 0;
  Known* next = nullptr;
  MaskSetter setter{};  // `who` is written once
};

constinit Known g_first{};
constinit std::atomic<Known*> g_present{nullptr};
constinit bool g_learnt = false;
constinit long g_started = 0;

Known* find_known(const mask::CpuMask& mask) {
  Known* one = &g_first;
  while (one != nullptr && !mask::is_same({one->bytes, one->mask.bits}, mask)) {
    one = one->next;
  }
  return one;
}

// As many bytes as the kernel uses, or all if the mask has more.
std::size_t bytes_for(const Known& added) {
  const mask::CpuMask first{g_first.bytes, added.mask.bits};
  return mask::is_same(first, added.mask.view()) ? g_first.bytes : sizeof added.mask;
}

Known* add(const mask::CpuMask& mask) {
  auto* added = support::allocate<Known>();
  if (added != nullptr) {
    memcpy(added->mask.bits, mask.bits, mask.bytes);
    added->bytes = bytes_for(*added);
    added->next = g_first.next;
    g_first.next = added;
  }
  return added;
}

Known* find_or_add(const mask::CpuMask& mask) {
  const support::ErrnoKept errno_kept;
  if (mask.bytes > sizeof g_first.mask) {
    return nullptr;
  }
  Known* const one = find_known(mask);
  return one == nullptr ? add(mask) : one;
}

mask::CpuMask view_of(const Known* one) {
  return one == nullptr ? mask::CpuMask{0, nullptr} : mask::CpuMask{one->bytes, one->mask.bits};
}

constinit Once g_read;
constinit support::CpuQuota g_quota;
constinit std::atomic<int> g_ranks{1};

}  // namespace

void learn_original_mask() {
  if (g_learnt) {
    return;
  }
  g_learnt = true;
  const support::ErrnoKept errno_kept;
  // Makes a system call, because sched_getaffinity() may be a hook.
  const long bytes =
      support::system_call(SYS_sched_getaffinity, 0, sizeof g_first.mask, g_first.mask.bits);
  g_started = support::milliseconds_now();
  if (bytes > 0) {
    g_first.bytes = static_cast<std::size_t>(bytes);
    g_present.store(&g_first, std::memory_order_release);
  }
}

bool change_original_mask(const mask::CpuMask& mask) {
  Known* const one = find_or_add(mask);
  if (one != nullptr) {
    g_present.store(one, std::memory_order_release);
  }
  return one != nullptr;
}

mask::CpuMask original_mask() { return view_of(g_present.load(std::memory_order_acquire)); }

mask::CpuMask first_mask() { return view_of(&g_first); }

void note_mask_setter(const char* who, long now) {
  Known* const present = g_present.load(std::memory_order_acquire);
  if (present != nullptr && present->setter.who[0] == '\0') {
    present->setter.after = now - g_started;
    snprintf(present->setter.who, sizeof present->setter.who, "%s", who);
  }
}

const MaskSetter* narrowed_by() {
  const Known* const present = g_present.load(std::memory_order_acquire);
  const bool is_known = present != nullptr && present->setter.who[0] != '\0' &&
                        mask::count(view_of(present)) < mask::count(first_mask());
  return is_known ? &present->setter : nullptr;
}

mask::CpuMask kept_mask(const mask::CpuMask& mask) { return view_of(find_or_add(mask)); }

const support::CpuQuota& cpu_quota() {
  g_read.run([] {
    // This large object is not on the stack, because a forking thread may have a small stack.
    if (auto* const group = support::allocate<support::Cgroup>()) {
      support::read_cpu_quota(*group, g_quota);
      free(group);
    }
  });
  return g_quota;
}

int quota() {
  const options::Settings& settings = options::settings();
  if (settings.ignores_quota || !settings.sizes || settings.machine != nullptr ||
      cpu_quota().time == 0) {
    return 0;
  }
  const int each = cpu_quota().threads() / ranks_of_quota();
  return each > 1 ? each : 1;
}

void divide_quota(int ranks) { g_ranks.store(ranks, std::memory_order_relaxed); }

int ranks_of_quota() { return g_ranks.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
