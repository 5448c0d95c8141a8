// SPDX-License-Identifier: BSD-3-Clause
#include "process/quota.hpp"

#include <atomic>

#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::process {

namespace {

constinit Once g_read;
constinit support::CpuQuota g_quota;
constinit std::atomic<int> g_ranks{1};

}  // namespace

const support::CpuQuota& cpu_quota() {
  g_read.run([] { g_quota = support::cpu_quota(); });
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
