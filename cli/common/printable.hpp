// SPDX-License-Identifier: BSD-3-Clause
// What others have written (names of files and symbols, values of variables, arguments) as it can
// be shown.
#pragma once

#include <string>
#include <string_view>

namespace nestbind::cli {

// The text without anything that a terminal acts on or that hides or reorders what stands there:
// control characters, line and paragraph separators and marks of writing direction become \xNN,
// byte by byte, as do bytes that are no UTF-8.
std::string printable(std::string_view text);

// A word that every shell of the POSIX family takes as this text, whatever is in it.
std::string shell_quoted(std::string_view text);

// The same, without quotes if it needs none.
std::string shell_word(std::string_view text);

}  // namespace nestbind::cli
