// SPDX-License-Identifier: BSD-3-Clause
// A user's text: a position in it, and the message for a fault.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "support/decimal.hpp"
#include "support/text_writer.hpp"

namespace nestbind::support {

// Does not use string_view, because its checks may need libstdc++.
struct TextCursor {
  const char* text;
  std::size_t size;
  std::size_t at = 0;

  bool at_end() const { return at == size; }
  bool is_at(char c) const { return at < size && text[at] == c; }
  bool is_at_digit() const { return at < size && is_digit(text[at]); }
  bool is_in_word() const {
    return at < size && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_');
  }
  void skip_blanks() {
    while (at < size && is_blank(text[at])) {
      ++at;
    }
  }
  std::uint64_t take_decimal(std::uint64_t most) {
    const char* here = text + at;
    const std::uint64_t number = support::take_decimal(here, text + size, most);
    at = static_cast<std::size_t>(here - text);
    return number;
  }
  std::size_t word_end() const {
    TextCursor end = *this;
    while (end.is_in_word()) {
      ++end.at;
    }
    return end.at;
  }
  // `word` is in lower case.
  bool has_word(std::size_t end, const char* word) const {
    for (std::size_t i = at; i < end; ++i, ++word) {
      if (*word == '\0' || to_lower(text[i]) != *word) {
        return false;
      }
    }
    return *word == '\0';
  }
};

// Lists of words for messages, made at compile time: each word is written once, in a table.
struct Words {
  const char* word[12] = {};
  int count = 0;
};

struct Text {
  char bytes[96] = {};
  std::size_t length = 0;
  consteval void put(const char* text) {
    for (; *text != '\0'; ++text) {
      bytes[length++] = *text;
    }
  }
};

// Returns "BEFORE a, b CONJUNCTION c AFTER". The arguments contain all blanks.
consteval Text listed(const char* before, const Words& words, const char* conjunction,
                      const char* after = "") {
  Text text;
  text.put(before);
  for (int i = 0; i < words.count; ++i) {
    text.put(i == 0 ? "" : i + 1 < words.count ? ", " : conjunction);
    text.put(words.word[i]);
  }
  text.put(after);
  return text;
}

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

// Writes a message of three lines for a fault in a text: "column N: WHAT, expected EXPECTED", the
// text, and a caret under `position` (a byte offset).
inline std::size_t describe(std::string_view text, std::size_t position, const char* what,
                            const char* expected, char* buffer, std::size_t size) {
  const std::size_t column = std::min(position, text.size());
  TextWriter out(buffer, size);
  caret::put_headline(out, column, what, expected);
  caret::put_excerpt(out, text, column);
  return out.written();
}

}  // namespace nestbind::support
