// SPDX-License-Identifier: BSD-3-Clause
// C and C++ as far as needed to find where a statement ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

// Where the statement that begins with a token ends: the token behind it. Null where the text ends
// first.
std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first);

// The variables that loops, one in the other, assign to in their headings.
std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops);

}  // namespace nestbind::opari
