// SPDX-License-Identifier: BSD-3-Clause
// What the standard output can show.
#pragma once

#include <string>

#include "show/picture.hpp"

namespace nestbind::cli {

// Whether it is a terminal.
bool is_on_terminal();

// Columns and rows of the terminal, or COLUMNS where it is set, or show::Canvas's; colour on a
// terminal that has it, unless NO_COLOR is set; UTF-8 by the locale's variables.
show::Canvas output_canvas();

// Of lines of text: the terminal's, or COLUMNS if it is set; otherwise these.
int text_columns(int otherwise = 100);

// Whether the encoding of a locale is UTF-8, by its name ("de_DE.UTF-8", "C.utf8").
bool is_utf8(const std::string& locale);

}  // namespace nestbind::cli
