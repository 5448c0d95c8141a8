// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/message.hpp"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/settings.hpp"

namespace nestbind::runtime {

void write_all(int file, const char* text, std::size_t length) {
  const int saved = errno;
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
  errno = saved;
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
