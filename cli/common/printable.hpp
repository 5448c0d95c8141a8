// SPDX-License-Identifier: BSD-3-Clause
// Makes texts of others safe to show: names of files and symbols, values of variables, arguments.
#pragma once

#include <string>
#include <string_view>

namespace nestbind::cli {

// The text without anything that a terminal acts on, or that hides or reorders text: of control
// characters, separators, direction marks and invalid UTF-8, each byte becomes \xNN.
std::string printable(std::string_view text);

// Quotes any text, so that every POSIX shell reads it as one word.
std::string shell_quoted(std::string_view text);

// The same, but without quotes if the text needs none.
std::string shell_word(std::string_view text);

}  // namespace nestbind::cli
