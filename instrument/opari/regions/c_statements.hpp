// SPDX-License-Identifier: BSD-3-Clause
// Finds the end of a statement in C and C++.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::opari {

// The words and signs of a C or C++ text, and its OpenMP directives.

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

std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first);

// Returns the variables to which nested loops assign in their headings: "for (i = 0; ...)".
std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops);

}  // namespace nestbind::opari
