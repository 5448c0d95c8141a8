// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/fortran_loops.hpp"

#include <algorithm>
#include <cctype>

namespace nestbind::opari {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Behind "name:".
std::string_view without_name(std::string_view compact) {
  std::size_t i = 0;
  while (i < compact.size() && is_word_character(compact[i])) {
    ++i;
  }
  const bool named = i > 0 && i + 1 < compact.size() && is_letter(compact[0]) &&
                     compact[i] == ':' && compact[i + 1] != ':';
  return named ? compact.substr(i + 1) : compact;
}

// "i=1,n": what an assignment to a variable whose name begins with "do" is not.
bool is_loop_control(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return false;
  }
  for (const char c : text.substr(0, equals)) {
    if (!is_word_character(c)) {
      return false;
    }
  }
  int depth = 0;
  for (const char c : text.substr(equals + 1)) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_do(std::string_view compact, std::string& label) {
  std::string_view rest = without_name(compact);
  label.clear();
  if (!rest.starts_with("do")) {
    return false;
  }
  rest.remove_prefix(2);
  while (!rest.empty() && is_digit(rest[0])) {
    label += rest[0];
    rest.remove_prefix(1);
  }
  if (!label.empty() && !rest.empty() && rest[0] == ',') {
    rest.remove_prefix(1);
  }
  return rest.empty() || (rest.starts_with("while(") && rest.back() == ')') ||
         rest.starts_with("concurrent(") || is_loop_control(rest);
}

std::string loop_variable(std::string_view compact) {
  std::string_view rest = without_name(compact).substr(2);
  rest = rest.substr(std::min(rest.find_first_not_of("0123456789,"), rest.size()));
  return is_loop_control(rest) ? std::string(rest.substr(0, rest.find('='))) : "";
}

bool is_end_do(std::string_view compact) {
  return compact.starts_with("enddo") && compact.find_first_of("=(%") == std::string_view::npos;
}

bool is_block(std::string_view compact) { return without_name(compact) == "block"; }

std::size_t end_of_loop(const std::vector<Item>& items, std::size_t first) {
  std::vector<std::string> open;
  for (std::size_t i = first; i < items.size(); ++i) {
    if (items[i].is_directive) {
      continue;
    }
    const std::string compact = items[i].compact();
    std::string label;
    if (is_do(compact, label)) {
      open.push_back(label);
      continue;
    }
    if (is_end_do(compact) && !open.empty()) {
      open.pop_back();
    }
    // Several loops may end with one statement.
    while (!open.empty() && !items[i].label.empty() && open.back() == items[i].label) {
      open.pop_back();
    }
    if (open.empty()) {
      return i;
    }
  }
  return items.size();
}

std::size_t end_of_block(const std::vector<Item>& items, std::size_t first) {
  int depth = 0;
  for (std::size_t i = first; i < items.size(); ++i) {
    if (items[i].is_directive) {
      continue;
    }
    const std::string compact = items[i].compact();
    if (is_block(compact)) {
      ++depth;
    } else if (compact.starts_with("endblock") &&
               compact.find_first_of("=(%") == std::string::npos &&
               !compact.starts_with("endblockdata") && --depth == 0) {
      return i;
    }
  }
  return items.size();
}

}  // namespace nestbind::opari
