// SPDX-License-Identifier: BSD-3-Clause
// Writes a message of three lines for a fault in a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "support/decimal.hpp"
#include "support/text_writer.hpp"

namespace nestbind::support {

namespace caret {

inline constexpr char kIndent[] = "  ";
inline constexpr char kCut[] = "...";
inline constexpr std::size_t kCutWidth = sizeof kCut - 1;

// With the indent, both cut marks and a caret after the end, a line has at most 99 columns.
inline constexpr std::size_t kExcerpt = 90;
// The text before a fault explains more than the text after the fault.
inline constexpr std::size_t kBefore = 60;

inline char shown(char c) { return is_blank(c) ? ' ' : is_printable(c) ? c : '?'; }

inline void put_headline(TextWriter& out, std::size_t position, const char* what,
                         const char* expected) {
  out.put("column ");
  out.put_number(position + 1);
  out.put(": ");
  out.put(what);
  if (expected != nullptr && expected[0] != '\0') {
    out.put(", expected ");
    out.put(expected);
  }
  out.put('\n');
}

inline void put_excerpt(TextWriter& out, std::string_view text, std::size_t position) {
  // The two marks add 2 * kCutWidth columns, so a text of this length is not cut.
  const bool is_whole = text.size() <= kExcerpt + 2 * kCutWidth;
  const std::size_t early = position > kBefore ? position - kBefore : 0;
  const std::size_t begin = is_whole ? 0 : std::min(early, text.size() - kExcerpt);
  const std::size_t end = is_whole ? text.size() : begin + kExcerpt;
  out.put(kIndent);
  out.put(begin > 0 ? kCut : "");
  for (std::size_t i = begin; i < end; ++i) {
    out.put(shown(text.data()[i]));
  }
  out.put(end < text.size() ? kCut : "");
  out.put('\n');
  out.put(kIndent);
  const std::size_t column = position - begin + (begin > 0 ? kCutWidth : 0);
  for (std::size_t i = 0; i < column; ++i) {
    out.put(' ');
  }
  out.put('^');
}

}  // namespace caret

// Writes "column N: WHAT, expected EXPECTED", the text, and a caret under `position` (a byte
// offset).
inline std::size_t describe(std::string_view text, std::size_t position, const char* what,
                            const char* expected, char* buffer, std::size_t size) {
  const std::size_t column = std::min(position, text.size());
  TextWriter out(buffer, size);
  caret::put_headline(out, column, what, expected);
  caret::put_excerpt(out, text, column);
  return out.written();
}

}  // namespace nestbind::support
