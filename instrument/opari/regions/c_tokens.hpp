// SPDX-License-Identifier: BSD-3-Clause
// The words and signs of a text in C or C++, and the directives of OpenMP among them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace nestbind::opari {

struct Token {
  enum Kind { kWord, kPunctuation, kOther, kDirective };
  Kind kind = kOther;
  char character = '\0';  // of punctuation; digraphs are what they stand for
  std::size_t begin = 0;
  std::size_t end = 0;  // of a directive: behind its line break
};

// Of a preprocessed text. Directives are those of OpenMP alone.
std::vector<Token> read_tokens(std::string_view text);

// What follows "omp" in a directive, on one line.
std::string_view directive_text(std::string_view text, const Token& token);

}  // namespace nestbind::opari
