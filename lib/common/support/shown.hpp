// SPDX-License-Identifier: BSD-3-Clause
// A text from outside, such as a program's name, made safe for our output.
#pragma once

#include <cstddef>

#include "support/decimal.hpp"

namespace nestbind::support {

// Bytes that could end a line or a JSON text, or control a terminal, become '?'.
struct Shown {
  char text[256] = "";

  explicit Shown(const char* given) {
    for (std::size_t i = 0; given[i] != '\0' && i + 1 < sizeof text; ++i) {
      const bool is_plain = is_printable(given[i]) && given[i] != '"' && given[i] != '\\';
      text[i] = is_plain ? given[i] : '?';
    }
  }
};

}  // namespace nestbind::support
