// SPDX-License-Identifier: BSD-3-Clause
#include "process/trace.hpp"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process/message.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::process {

namespace {

constinit char g_file[PATH_MAX] = "";  // absolute: the program may go to another folder

// Anew for each line: a descriptor that stays would be the program's to close, and another's then.
// A pipe without a reader does not wait.
int open_file() {
  return open(g_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

}  // namespace

constinit std::atomic<bool> g_traced{false};

bool begin_trace(const char* file) {
  char folder[PATH_MAX] = "";
  const bool is_whole = file[0] == '/' || getcwd(folder, sizeof folder) != nullptr;
  const int length =
      snprintf(g_file, sizeof g_file, "%s%s%s", folder, folder[0] == '\0' ? "" : "/", file);
  const int opened = is_whole && length < static_cast<int>(sizeof g_file) ? open_file() : -1;
  if (opened < 0) {
    return false;
  }
  close(opened);
  g_traced.store(true, std::memory_order_relaxed);
  return true;
}

void write_trace(Traced event, long first, long second, long third, const char* text) {
  const support::ErrnoKept errno_kept;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[PATH_MAX + 256];
  const int length = snprintf(line, sizeof line, "%ld.%06ld %ld %d %ld %ld %ld %s", now.tv_sec,
                              now.tv_nsec / 1000, syscall(SYS_gettid), static_cast<int>(event),
                              first, second, third, text == nullptr ? "" : text);
  const int file = open_file();
  if (length <= 0 || file < 0) {
    return;
  }
  const std::size_t used = strnlen(line, sizeof line - 1);
  line[used] = '\n';
  write_all(file, line, used + 1);
  close(file);
}

}  // namespace nestbind::process
