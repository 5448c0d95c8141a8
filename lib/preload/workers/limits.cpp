// SPDX-License-Identifier: BSD-3-Clause
#include "workers/limits.hpp"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>

#include "support/allocate.hpp"
#include "support/clock.hpp"
#include "support/decimal.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::workers {

namespace {

struct Number {
  char text[128];  // a line of numbers
};

// Not on the stack: the primary thread's may be a small one, or a signal's.
struct Groups {
  char list[4096];
  char mounted[PATH_MAX];
  char group[PATH_MAX];
  char file[PATH_MAX];
};

// A small file of the kernel's; empty where there is none. By system calls: the C library's
// functions are points where a thread can be cancelled.
template <std::size_t kSize>
const char* read_file(const char* path, char (&text)[kSize]) {
  text[0] = '\0';
  const long file = support::system_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const long bytes = support::system_call(SYS_read, file, text, kSize - 1);
    text[bytes < 0 ? 0 : bytes] = '\0';
    support::system_call(SYS_close, file);
  }
  return text;
}

// The number in a file of a group; kUnlimited where it has none ("max", no such file).
long number_in(Groups& groups, const char* name) {
  if (snprintf(groups.file, sizeof groups.file, "%s%s/%s", groups.mounted, groups.group, name) >=
      static_cast<int>(PATH_MAX)) {
    return kUnlimited;
  }
  Number number_text;
  const char* const text = read_file(groups.file, number_text.text);
  const char* end = text;
  const auto number = static_cast<long>(support::take_decimal(end, nullptr, kUnlimited));
  return end == text ? kUnlimited : number;
}

// In a group and those around it. A container may not see those outside of it, and may be told of
// them nevertheless.
long left_in(Groups& groups) {
  long left = kUnlimited;
  for (;;) {
    const long most = number_in(groups, "pids.max");
    if (most < kUnlimited) {
      const long now = number_in(groups, "pids.current");
      left = now < kUnlimited && most - now < left ? most - now : left;
    }
    char* slash = strrchr(groups.group, '/');
    if (slash == nullptr) {
      return left;
    }
    *slash = '\0';
  }
}

// The group behind "N:controllers:" in a line of /proc/self/cgroup; null where the line is not of
// the controller of processes. Version 2 names none.
const char* group_in(const char* line, bool& is_second_version) {
  const char* controllers = strchr(line, ':');
  const char* group = controllers == nullptr ? nullptr : strchr(controllers + 1, ':');
  if (group == nullptr) {
    return nullptr;
  }
  is_second_version = group == controllers + 1;
  const char* pids = strstr(controllers, "pids");
  return is_second_version || (pids != nullptr && pids < group) ? group + 1 : nullptr;
}

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
  Number pages;
  const char* at = read_file("/proc/self/statm", pages.text);
  const auto page = static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
  const unsigned long bytes = support::take_decimal(at, nullptr, kUnlimited) * page;
  const std::size_t thread = stack_bytes_of(attributes) + page;  // and its guard
  return bytes >= limit ? 0 : static_cast<long>((limit - bytes) / thread);
}

long cgroup_threads_left(const char* groups, const char* mounted) {
  auto* memory = support::allocate<Groups>();
  if (memory == nullptr) {
    return 0;
  }
  long left = kUnlimited;
  read_file(groups, memory->list);
  char* rest = memory->list;
  while (char* line = strsep(&rest, "\n")) {
    bool is_second_version = false;
    const char* group = group_in(line, is_second_version);
    if (group == nullptr) {
      continue;
    }
    snprintf(memory->mounted, sizeof memory->mounted, "%s%s", mounted,
             is_second_version ? "" : "/pids");
    // The group of the root is "/".
    snprintf(memory->group, sizeof memory->group, "%s", strcmp(group, "/") == 0 ? "" : group);
    const long here = left_in(*memory);
    left = here < left ? here : left;
  }
  free(memory);
  return left;
}

long cgroup_threads_left() { return cgroup_threads_left("/proc/self/cgroup", "/sys/fs/cgroup"); }

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
