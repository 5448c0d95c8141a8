// SPDX-License-Identifier: BSD-3-Clause
#include "process/traced.hpp"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "process/message.hpp"
#include "process/output_file.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::process {

namespace {

constinit OutputFile g_file;

}  // namespace

constinit std::atomic<bool> g_traced{false};

const char* begin_trace(const char* file) {
  const bool is_name = g_file.set_name(file, OutputFile::Begins::kBehind);
  const char* const why = is_name ? g_file.find() : strerror(errno);
  if (why == nullptr) {
    g_traced.store(true, std::memory_order_relaxed);
  }
  return why;
}

void write_trace(Traced event, long first, long second, long third, const char* text) {
  const support::ErrnoKept errno_kept;
  const Uncancelled uncancelled;
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
  const char* const why = g_file.write(line, static_cast<std::size_t>(end + 1 - line));
  static constinit std::atomic<bool> told{false};
  if (why != nullptr) {
    warn_once(told, "the trace cannot be written to %s: %s", g_file.name(), why);
  }
}

}  // namespace nestbind::process
