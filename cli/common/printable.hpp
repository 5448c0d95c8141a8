// SPDX-License-Identifier: BSD-3-Clause
// Makes text from outside safe to show: names of files and symbols, values of variables, arguments.
#pragma once

#include <string>
#include <string_view>

namespace nestbind::cli {

// A text that is safe on a terminal. Each byte of a control character, separator, direction mark or
// invalid UTF-8 becomes \xNN.
std::string printable(std::string_view text);

// Quotes a text, so that every POSIX shell reads it as one word.
std::string shell_quoted(std::string_view text);

// As shell_quoted, but without quotes if the text needs no quotes.
std::string shell_word(std::string_view text);

}  // namespace nestbind::cli
