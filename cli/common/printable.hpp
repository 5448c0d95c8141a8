// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace nestbind::cli {

// Returns the text with \xNN for each byte that is not safe on a terminal. Unsafe bytes are those
// of control characters, separators, direction marks and invalid UTF-8.
std::string printable(std::string_view text);

// Quotes a text, so that every POSIX shell reads it as one word.
// shell: sh, csh or fish.
std::string shell_quoted(std::string_view text, std::string_view shell = "sh");

std::string shell_word(std::string_view text);

}  // namespace nestbind::cli
