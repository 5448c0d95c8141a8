// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/computed.hpp"

#include <time.h>

namespace nestbind::worksharing {

constinit std::atomic<bool> g_counts_computed{false};

namespace {

constinit std::atomic<std::uint64_t> g_computed{0};
constinit std::atomic<int> g_threads{0};

}  // namespace

std::uint64_t computed_so_far() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  constexpr std::uint64_t kSecond = 1000000000;
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec) + 1;
}

void add_computed(std::uint64_t from, int team_size) {
  g_computed.fetch_add(computed_so_far() - from, std::memory_order_relaxed);
  int most = g_threads.load(std::memory_order_relaxed);
  while (most < team_size && !g_threads.compare_exchange_weak(most, team_size)) {
  }
}

Computed take_computed() {
  return {g_computed.exchange(0, std::memory_order_relaxed),
          g_threads.load(std::memory_order_relaxed)};
}

void count_computed() { g_counts_computed.store(true, std::memory_order_relaxed); }

}  // namespace nestbind::worksharing
