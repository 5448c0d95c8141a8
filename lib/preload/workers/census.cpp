// SPDX-License-Identifier: BSD-3-Clause
#include "workers/census.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>

#include "support/allocate.hpp"
#include "support/cgroup.hpp"
#include "support/clock.hpp"
#include "support/decimal.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::workers {

namespace {

unsigned long address_space_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::size_t stack_bytes_of(const pthread_attr_t* attributes) {
  std::size_t size = 0;
  pthread_attr_t usual;
  if (attributes != nullptr) {
    pthread_attr_getstacksize(attributes, &size);
  } else if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &size);
    pthread_attr_destroy(&usual);
  }
  return size;
}

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

long address_space_left(const pthread_attr_t* attributes) {
  const unsigned long limit = address_space_limit();
  if (limit == RLIM_INFINITY) {
    return kUnlimited;
  }
  char pages[128] = "";
  const support::Descriptor statm(support::open_at(AT_FDCWD, "/proc/self/statm", O_RDONLY));
  support::system_call(SYS_read, statm.number(), pages, sizeof pages - 1);
  const char* at = pages;
  const auto page = static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
  const unsigned long bytes = support::take_decimal(at, nullptr, kUnlimited) * page;
  const std::size_t thread = stack_bytes_of(attributes) + page;  // one stack with its guard
  return bytes >= limit ? 0 : static_cast<long>((limit - bytes) / thread);
}

long cgroup_threads_left(const char* root) {
  // This large object is not on the stack, because the thread may have a small stack.
  auto* const group = support::allocate<support::Cgroup>();
  long left = group == nullptr ? 0 : kUnlimited;
  for (const char* controller : {"", "pids"}) {
    bool is_there = group != nullptr && group->find(controller, {.root = root});
    for (; is_there; is_there = group->leave()) {
      const long most = group->number("pids.max", kUnlimited);
      const long here = most < kUnlimited ? most - group->number("pids.current", 0) : kUnlimited;
      left = here < left ? here : left;
    }
  }
  free(group);
  return left;
}

bool limits_let_keep(const pthread_attr_t* attributes, int kept) {
  constexpr long kFresh = 10;  // milliseconds
  static constinit std::atomic<long> read_at{-kFresh};
  static constinit std::atomic<unsigned long> limit_then{0};
  static constinit std::atomic<long> may_keep{0};
  const support::ErrnoKept errno_kept;
  const long now = support::milliseconds_now();
  const unsigned long limit = address_space_limit();
  if (now - read_at.load(std::memory_order_relaxed) >= kFresh ||
      limit_then.load(std::memory_order_relaxed) != limit) {
    const long space = address_space_left(attributes);
    const long threads = cgroup_threads_left();
    may_keep.store(more_to_keep(space < threads ? space : threads, kept),
                   std::memory_order_relaxed);
    limit_then.store(limit, std::memory_order_relaxed);
    read_at.store(now, std::memory_order_relaxed);
  }
  return may_keep.fetch_sub(1, std::memory_order_relaxed) > 0;
}

bool may_keep() {
  for (const char* symbol : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"}) {
    if (dlsym(RTLD_DEFAULT, symbol) != nullptr) {
      return false;
    }
  }
  const char* preloads = getenv("LD_PRELOAD");
  return preloads == nullptr || strstr(preloads, "/vgpreload_") == nullptr;
}

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
