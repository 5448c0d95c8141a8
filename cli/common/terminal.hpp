// SPDX-License-Identifier: BSD-3-Clause
// What the standard output can show.
#pragma once

#include <string>

#include "show/picture.hpp"

namespace nestbind::cli {

bool is_on_terminal();

// COLUMNS replaces the terminal's width. The height leaves room for other text. Colours are used if
// the terminal has colours and NO_COLOR is not set. UTF-8 is used if the locale's variables select
// UTF-8.
show::Canvas output_canvas();

// Returns COLUMNS or the terminal's width. If both are unknown, returns `otherwise`.
int text_columns(int otherwise = 100);

bool is_utf8(const std::string& locale);

}  // namespace nestbind::cli
