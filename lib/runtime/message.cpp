// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/message.hpp"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/settings.hpp"

namespace nestbind::runtime {

namespace {

// A reader of ours that has gone away must not end the program: holds SIGPIPE back, and takes away
// the one that we have caused. Keeps errno.
class PipeSignalHeldBack {
 public:
  PipeSignalHeldBack() : errno_(errno) {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalHeldBack() {
    const timespec at_once{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) == -1 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = errno_;
  }
  PipeSignalHeldBack(const PipeSignalHeldBack&) = delete;
  PipeSignalHeldBack& operator=(const PipeSignalHeldBack&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_;
  int errno_;
};

}  // namespace

bool write_all(int file, const char* text, std::size_t length) {
  const PipeSignalHeldBack held_back;
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

void say(Severity severity, const char* format, ...) {
  if (severity == Severity::kWarning && settings().quiet) {
    return;
  }
  char text[2048];
  const char* prefix = severity == Severity::kWarning ? "nestbind: warning: " : "nestbind: ";
  int length = snprintf(text, sizeof text, "%s", prefix);
  va_list arguments;
  va_start(arguments, format);
  const int room = static_cast<int>(sizeof text) - length - 1;
  const int wanted = vsnprintf(text + length, static_cast<std::size_t>(room), format, arguments);
  va_end(arguments);
  length += wanted < room ? (wanted < 0 ? 0 : wanted) : room - 1;
  if (text[length - 1] != '\n') {
    text[length++] = '\n';
  }
  write_all(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

}  // namespace nestbind::runtime
