// SPDX-License-Identifier: BSD-3-Clause
// What nestbind says to its user: on the standard error output, in one write a message. A process
// that was started without one is told nothing: its descriptor 2 is some file of the program's.
#pragma once

#include <cstddef>

namespace nestbind::process {

enum class Severity { kWarning, kError };

// "nestbind: warning: TEXT". printf-like, cut to 2000 bytes. Keeps errno.
void say(Severity severity, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Whether warnings are said; as NESTBIND_QUIET says until somebody tells otherwise.
void tell_warnings(bool tell);

// Writes all of it there, if the process was started with it. Keeps errno.
void write_error_output(const char* text, std::size_t length);

// Writes all of it to a file descriptor; returns whether that took it. Keeps errno, and the program
// from a SIGPIPE; no point where a thread is cancelled.
bool write_all(int file, const char* text, std::size_t length);

// What a strict user does not want has come (NESTBIND_STRICT=1): says so, and ends the program.
[[noreturn]] void refuse();

}  // namespace nestbind::process
