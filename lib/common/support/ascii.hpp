// SPDX-License-Identifier: BSD-3-Clause
// Character classes of what users write. <cctype> is no help: it asks the locale.
#pragma once

namespace nestbind::support {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

}  // namespace nestbind::support
