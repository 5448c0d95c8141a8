// SPDX-License-Identifier: BSD-3-Clause
#include "workers/limits.hpp"

#include <fcntl.h>
#include <stdlib.h>
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

}  // namespace nestbind::workers
