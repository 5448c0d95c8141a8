// SPDX-License-Identifier: BSD-3-Clause
// Messages to the user on the standard error output, each in one write. If descriptor 2 was closed
// at the start, nothing is written. The descriptor may now be any file of the program.
#pragma once

#include <atomic>
#include <cstddef>

namespace nestbind::process {

enum class Severity { kWarning, kError };

// Writes "nestbind: warning: TEXT", formatted as by printf, and cut to 2000 bytes. Keeps errno.
void say(Severity severity, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Prints a warning if `told` is not set yet, and sets it.
void warn_once(std::atomic<bool>& told, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Until the first call, NESTBIND_QUIET decides.
void tell_warnings(bool tell);

// Writes only if descriptor 2 was open at the start. Keeps errno.
void write_error_output(const char* text, std::size_t length);

// Returns whether this succeeded. Keeps errno, causes no SIGPIPE, and is not a cancellation point.
bool write_all(int file, const char* text, std::size_t length);

// Ends the program with a message, after an error under NESTBIND_STRICT=1.
[[noreturn]] void refuse();

}  // namespace nestbind::process
