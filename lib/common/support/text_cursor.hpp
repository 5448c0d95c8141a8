// SPDX-License-Identifier: BSD-3-Clause
// A position in a text that a user wrote.
#pragma once

#include <cstddef>

#include "support/decimal.hpp"

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

}  // namespace nestbind::support
