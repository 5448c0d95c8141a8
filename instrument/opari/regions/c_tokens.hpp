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
  char character = '\0';  // of punctuation; a digraph has the character that it means
  std::size_t begin = 0;
  std::size_t end = 0;  // of a directive: after its line break
};

// Reads a preprocessed text. The only directives that it reads are OpenMP's.
std::vector<Token> read_tokens(std::string_view text);

std::string_view directive_text(std::string_view text, const Token& token);

}  // namespace nestbind::opari
