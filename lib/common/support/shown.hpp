// SPDX-License-Identifier: BSD-3-Clause
// What somebody else has written, such as a program's name, as it stands in a line of ours.
#pragma once

#include <cstddef>

#include "support/decimal.hpp"

namespace nestbind::support {

// Of what ends a line or a text of JSON, or what a terminal may act on, each byte is a '?'.
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
