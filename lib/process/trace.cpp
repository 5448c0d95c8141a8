// SPDX-License-Identifier: BSD-3-Clause
#include "process/trace.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process/message.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::process {

namespace {

constinit int g_file = -1;

}  // namespace

constinit std::atomic<bool> g_traced{false};

bool open_trace(const char* file) {
  g_file = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  g_traced.store(g_file >= 0, std::memory_order_relaxed);
  return g_file >= 0;
}

void write_trace(Traced event, long first, long second, long third, const char* text) {
  const support::ErrnoKept errno_kept;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[1024];
  const int length =
      snprintf(line, sizeof line, "%ld.%06ld %ld %d %ld %ld %ld %s", now.tv_sec, now.tv_nsec / 1000,
               syscall(SYS_gettid), static_cast<int>(event), first, second, third, text);
  if (length > 0) {
    const int last =
        length < static_cast<int>(sizeof line) ? length : static_cast<int>(sizeof line) - 1;
    line[last] = '\n';
    write_all(g_file, line, static_cast<std::size_t>(last) + 1);
  }
}

}  // namespace nestbind::process
