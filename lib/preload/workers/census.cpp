// SPDX-License-Identifier: BSD-3-Clause
#include "workers/census.hpp"

#include <atomic>

#include "workers/limits.hpp"

namespace nestbind::workers {

namespace {

constexpr int kLeastCap = 64;
constexpr int kWorkersPerProcessor = 8;

constinit Terms g_terms;
constinit std::atomic<int> g_processors{1};
constinit std::atomic<bool> g_kept{false};
constinit std::atomic<int> g_threads{1};  // the initial thread
constinit std::atomic<int> g_workers{0};
constinit std::atomic<bool> g_no_more{false};
constinit std::atomic<bool> g_exiting{false};

int cap() {
  const int many = kWorkersPerProcessor * g_processors.load(std::memory_order_relaxed);
  return many > kLeastCap ? many : kLeastCap;
}

}  // namespace

void keep_workers(const Terms& terms) {
  g_terms = terms;
  set_processors(terms.processors);
  g_kept.store(true, std::memory_order_release);
}

const Terms& terms() { return g_terms; }
void set_processors(int processors) { g_processors.store(processors, std::memory_order_relaxed); }
bool workers_are_kept() { return g_kept.load(std::memory_order_acquire); }

void count_threads(int change) { g_threads.fetch_add(change, std::memory_order_relaxed); }

bool count_worker(const pthread_attr_t* attributes) {
  const int kept = g_workers.fetch_add(1, std::memory_order_relaxed);
  if (g_no_more.load(std::memory_order_relaxed) || kept >= cap() ||
      !limits_let_keep(attributes, kept)) {
    g_workers.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void uncount_worker() { g_workers.fetch_sub(1, std::memory_order_release); }

int kept_workers() { return g_workers.load(std::memory_order_acquire); }

bool threads_fit() {
  return g_threads.load(std::memory_order_relaxed) + g_workers.load(std::memory_order_relaxed) <=
         g_processors.load(std::memory_order_relaxed);
}

void keep_no_more() { g_no_more.store(true, std::memory_order_relaxed); }

void begin_exit() { g_exiting.store(true); }
bool is_exiting() { return g_exiting.load(); }

void count_anew() {
  g_threads.store(1, std::memory_order_relaxed);
  g_workers.store(0, std::memory_order_relaxed);
}

}  // namespace nestbind::workers
