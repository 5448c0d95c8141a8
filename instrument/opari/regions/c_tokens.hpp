// SPDX-License-Identifier: BSD-3-Clause
// The words and signs of a C or C++ text, and its OpenMP directives.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace nestbind::opari {

struct Token {
  enum Kind { kWord, kPunctuation, kOther, kDirective };
  Kind kind = kOther;
  // Set for punctuation. For the digraph "<:", the character is '['.
  char character = '\0';
  std::size_t begin = 0;
  std::size_t end = 0;  // for a directive, after the line break
};

// Reads a preprocessed text. The only directives that it reads are OpenMP's.
std::vector<Token> read_tokens(std::string_view text);

std::string_view directive_text(std::string_view text, const Token& token);

}  // namespace nestbind::opari
