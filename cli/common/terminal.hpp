// SPDX-License-Identifier: BSD-3-Clause
// What the standard output can show.
#pragma once

#include <string>

#include "show/picture.hpp"

namespace nestbind::cli {

bool is_on_terminal();

// The width is COLUMNS or the terminal's. The rows are the terminal's, less some rows for other
// text. Colours are used if the terminal has colours and NO_COLOR is not set. UTF-8 is used if the
// locale's variables select it.
show::Canvas output_canvas();

// Returns the width of lines: COLUMNS, or else the terminal's width, or else `otherwise`.
int text_columns(int otherwise = 100);

bool is_utf8(const std::string& locale);

}  // namespace nestbind::cli
