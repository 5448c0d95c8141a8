// SPDX-License-Identifier: BSD-3-Clause
// hwloc's syntax: levels "type:number" or "number", apart by blanks; behind a number attributes in
// "()", between levels memory in "[]". Numbers are as strtoul takes them, with base 0.
#include "machine/hwloc/synthetic.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace nestbind::machine::hwloc {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// Behind the bracket that closes the one at `at`.
std::size_t behind(const std::string& text, std::size_t at) {
  const std::size_t end = text.find(text[at] == '(' ? ')' : ']', at);
  return end == std::string::npos ? text.size() : end + 1;
}

// Behind a level's type, where its number begins.
std::size_t number_of_level(const std::string& text, std::size_t at) {
  return is_digit(text[at]) ? at : std::min(text.find_first_of(": ", at), text.size() - 1) + 1;
}

}  // namespace

unsigned long described_processors(const std::string& description) {
  unsigned long processors = 1;
  for (std::size_t at = 0; at < description.size();) {
    if (description[at] == '(' || description[at] == '[') {
      at = behind(description, at);
      continue;
    }
    if (description[at] == ' ' || description[at] == '\n') {
      ++at;
      continue;
    }
    at = number_of_level(description, at);
    const char* const begin = description.c_str() + at;
    char* end = nullptr;
    const unsigned long children = std::strtoul(begin, &end, 0);
    at += static_cast<std::size_t>(end - begin);
    // A negative number is a large one, and one beyond UINT_MAX hwloc does not take.
    const bool is_taken = children <= UINT_MAX || *begin != '-';
    if (is_taken && children > kMostDescribed / processors) {
      return kMostDescribed + 1;
    }
    processors *= is_taken ? std::max(children, 1UL) : 1;
  }
  return processors;
}

}  // namespace nestbind::machine::hwloc
