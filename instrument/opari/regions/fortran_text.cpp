// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/fortran_text.hpp"

#include <cstddef>

namespace nestbind::opari {

namespace {

// A line has 72 columns in each form, and our text begins in the seventh.
constexpr std::size_t kWidth = 66;

// Returns how many characters fit into this line.
std::size_t length_of_line(std::string_view text) {
  if (text.size() <= kWidth - 2) {
    return text.size();
  }
  std::size_t found = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < kWidth - 2; ++i) {
    const char c = text[i];
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ',' || c == ' ' || c == '(' || (c == '/' && i > 0 && text[i - 1] == '/')) {
      found = i + 1;
    }
  }
  return found > 0 ? found : kWidth - 2;
}

std::string lines_of(std::string_view text, std::string_view first, std::string_view next,
                     std::string_view continues) {
  std::string result;
  std::string_view start = first;
  do {
    const std::size_t length = length_of_line(text);
    result += start;
    result += text.substr(0, length);
    text.remove_prefix(length);
    result += text.empty() ? "" : continues;
    result += '\n';
    start = next;
  } while (!text.empty());
  return result;
}

}  // namespace

std::string statement_lines(std::string_view text, Language language) {
  return language == Language::kFixed ? lines_of(text, "      ", "     &", "")
                                      : lines_of(text, "      ", "     &", "&");
}

std::string directive_lines(std::string_view text, Language language) {
  return language == Language::kFixed ? lines_of(text, "!$omp ", "!$omp&", "")
                                      : lines_of(text, "!$omp ", "!$omp&", "&");
}

std::string literal(std::string_view text) {
  constexpr std::size_t kPiece = 40;
  std::string result = "\"";
  std::size_t length = 0;
  for (const char c : text) {
    if (++length > kPiece) {
      result += "\"//\"";
      length = 1;
    }
    result += c == '"' ? "\"" : "";
    result += c;
  }
  return result + "\"";
}

}  // namespace nestbind::opari
