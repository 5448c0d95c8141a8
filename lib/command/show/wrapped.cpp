// SPDX-License-Identifier: BSD-3-Clause
#include "show/wrapped.hpp"

#include <algorithm>

namespace nestbind::show {

std::string wrapped(std::string text, int columns, int indent) {
  constexpr int kLeast = 20;  // columns after the indent
  const auto before = static_cast<std::size_t>(indent);
  const auto most = static_cast<std::size_t>(std::max(columns, indent + kLeast));
  std::string lines;
  while (columns > 0 && text.size() > most) {
    std::size_t blank = text.rfind(' ', most);
    blank = blank == std::string::npos || blank <= before ? text.find(' ', most) : blank;
    if (blank == std::string::npos) {
      break;
    }
    lines += text.substr(0, blank) + "\n";
    text = std::string(before, ' ') + text.substr(blank + 1);
  }
  return lines + text;
}

}  // namespace nestbind::show
