// SPDX-License-Identifier: BSD-3-Clause
#include "process/trace.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "process/message.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::process {

namespace {

constinit char g_file[PATH_MAX] = "";  // absolute: the program may go to another folder

// Anew for each line: a descriptor that stays would be the program's to close, and another's then.
// The raw calls are no points where a thread can be cancelled.
int open_file() {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  return static_cast<int>(support::system_call(SYS_openat, AT_FDCWD, g_file, kFlags, 0666));
}

}  // namespace

constinit std::atomic<bool> g_traced{false};

bool begin_trace(const char* file) {
  char folder[PATH_MAX] = "";
  if (file[0] != '/' && getcwd(folder, sizeof folder) == nullptr) {
    return false;
  }
  const char* slash = folder[0] == '\0' ? "" : "/";
  if (snprintf(g_file, sizeof g_file, "%s%s%s", folder, slash, file) >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  const int opened = open_file();
  if (opened < 0) {
    return false;
  }
  support::system_call(SYS_close, opened);
  g_traced.store(true, std::memory_order_relaxed);
  return true;
}

void write_trace(Traced event, long first, long second, long third, const char* text) {
  const support::ErrnoKept errno_kept;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[PATH_MAX + 256];
  snprintf(line, sizeof line - 1, "%ld.%06ld %ld %d %ld %ld %ld %s", now.tv_sec, now.tv_nsec / 1000,
           support::system_call(SYS_gettid), static_cast<int>(event), first, second, third,
           text == nullptr ? "" : text);
  char* end = line;
  for (; *end != '\0'; ++end) {
    *end = *end > 0 && *end < ' ' ? '?' : *end;  // an event is one line
  }
  *end = '\n';
  const int file = open_file();
  const bool written = file >= 0 && write_all(file, line, static_cast<std::size_t>(end + 1 - line));
  if (file >= 0) {
    support::system_call(SYS_close, file);
  }
  static std::atomic<bool> told{false};
  if (!written && !told.exchange(true)) {
    say(Severity::kWarning, "the trace does not take all that is written to %s", g_file);
  }
}

}  // namespace nestbind::process
