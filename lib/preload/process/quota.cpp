// SPDX-License-Identifier: BSD-3-Clause
#include "process/quota.hpp"

#include <atomic>

#include "options/settings.hpp"
#include "process/once.hpp"
#include "support/allocate.hpp"

namespace nestbind::process {

namespace {

constinit Once g_read;
constinit support::CpuQuota g_quota;
constinit std::atomic<int> g_ranks{1};

}  // namespace

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
