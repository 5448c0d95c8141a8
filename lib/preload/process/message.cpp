// SPDX-License-Identifier: BSD-3-Clause
#include "process/message.hpp"

#include <errno.h>
#include <nestbind/nestbind.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

#include "options/settings.hpp"
#include "process/original_files.hpp"
#include "process/undisturbed.hpp"

namespace nestbind::process {

namespace {

enum class Telling { kNotAsked, kAll, kErrors };
constinit Telling g_telling = Telling::kNotAsked;

bool tells_warnings() {
  if (g_telling == Telling::kNotAsked) {
    const char* quiet = options::variable("NESTBIND_QUIET");
    tell_warnings(quiet == nullptr || strcmp(quiet, "1") != 0);
  }
  return g_telling == Telling::kAll;
}

// SIGPIPE and SIGXFSZ end the program if a pipe is closed or a file is too large. The destructor
// removes the signals that our write has caused.
class SignalsHeldBack {
 public:
  SignalsHeldBack() : errno_(errno) {
    sigemptyset(&ours_);
    sigset_t pending;
    sigpending(&pending);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      if (sigismember(&pending, signal) == 0) {
        sigaddset(&ours_, signal);
      }
    }
    change_signal_mask(SIG_BLOCK, &ours_, &before_);
  }
  ~SignalsHeldBack() {
    const timespec at_once{};
    while (sigtimedwait(&ours_, nullptr, &at_once) > 0 || errno == EINTR) {
    }
    change_signal_mask(SIG_SETMASK, &before_, nullptr);
    errno = errno_;
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t ours_;
  sigset_t before_;
  int errno_;
};

__attribute__((format(printf, 2, 0))) void say_list(Severity severity, const char* format,
                                                    va_list values) {
  if (severity == Severity::kWarning && !tells_warnings()) {
    return;
  }
  char text[2048];
  const char* prefix = severity == Severity::kWarning ? "nestbind: warning: " : "nestbind: ";
  int length = snprintf(text, sizeof text, "%s", prefix);
  const int room = static_cast<int>(sizeof text) - length - 1;
  const int wanted = vsnprintf(text + length, static_cast<std::size_t>(room), format, values);
  length += wanted < room ? (wanted < 0 ? 0 : wanted) : room - 1;
  if (text[length - 1] != '\n') {
    text[length++] = '\n';
  }
  write_error_output(text, static_cast<std::size_t>(length));
}

}  // namespace

bool write_all(int file, const char* text, std::size_t length) {
  const Uncancelled uncancelled;
  const SignalsHeldBack held_back;
  while (length > 0) {
    const ssize_t written = write(file, text, length);
    if (written < 0 && errno != EINTR) {
      break;
    }
    if (written > 0) {
      text += written;
      length -= static_cast<std::size_t>(written);
    }
  }
  return length == 0;
}

void write_error_output(const char* text, std::size_t length) {
  if (has_error_output()) {
    write_all(STDERR_FILENO, text, length);
  }
}

void tell_warnings(bool tell) { g_telling = tell ? Telling::kAll : Telling::kErrors; }

void say(Severity severity, const char* format, ...) {
  va_list values;
  va_start(values, format);
  say_list(severity, format, values);
  va_end(values);
}

void warn_once(std::atomic<bool>& told, const char* format, ...) {
  if (!told.exchange(true, std::memory_order_relaxed)) {
    va_list values;
    va_start(values, format);
    say_list(Severity::kWarning, format, values);
    va_end(values);
  }
}

void refuse() {
  say(Severity::kError, "the program is stopped (NESTBIND_STRICT=1)");
  _exit(NESTBIND_STRICT_STATUS);
}

}  // namespace nestbind::process
