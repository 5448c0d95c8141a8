// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/fortran_units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace nestbind::opari {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), is_word_character);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && is_word_character(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  words.pop_back();
  return words;
}

bool has_assignment(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && (c == '=' || c == ':')) {
      return true;
    }
  }
  return false;
}

bool is_prefix(const std::string& word) {
  static constexpr std::array<std::string_view, 16> kPrefixes = {
      "recursive", "pure", "elemental", "impure",         "module",    "non_recursive",
      "integer",   "real", "complex",   "logical",        "character", "double",
      "precision", "type", "class",     "doubleprecision"};
  return std::find(kPrefixes.begin(), kPrefixes.end(), word) != kPrefixes.end() ||
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_procedure(std::string_view text, std::string_view compact) {
  if (has_assignment(text)) {
    return false;
  }
  if (compact.starts_with("subroutine")) {  // in fixed form the name may follow without a blank
    return is_name(compact.substr(10, compact.find('(') - 10));
  }
  const std::vector<std::string> words = words_of(std::string(text) + " ");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "function" || words[i] == "subroutine") {
      return i + 1 < words.size() && is_name(words[i + 1]);
    }
    if (!is_prefix(words[i])) {
      return false;
    }
  }
  return false;
}

bool is_unit(std::string_view text, std::string_view compact, bool in_interface) {
  if (is_procedure(text, compact)) {
    return true;
  }
  if (compact.starts_with("moduleprocedure")) {
    return !in_interface && is_name(compact.substr(15));
  }
  if (compact.starts_with("submodule(")) {
    return !has_assignment(text);
  }
  return (compact.starts_with("program") && is_name(compact.substr(7))) ||
         (compact.starts_with("module") && is_name(compact.substr(6))) ||
         (compact.starts_with("blockdata") && (compact.size() == 9 || is_name(compact.substr(9))));
}

bool is_interface(std::string_view text, std::string_view compact) {
  return compact == "abstractinterface" || compact == "interface" ||
         (text.starts_with("interface ") &&
          (!has_assignment(text) || compact.starts_with("interfaceassignment(")));
}

bool ends_unit(std::string_view compact) {
  static constexpr std::array<std::string_view, 8> kKinds = {"program",   "subroutine", "function",
                                                             "module",    "submodule",  "procedure",
                                                             "blockdata", "interface"};
  if (compact == "end") {
    return true;
  }
  return compact.starts_with("end") && compact.find_first_of("=%") == std::string_view::npos &&
         std::any_of(kKinds.begin(), kKinds.end(), [&](std::string_view kind) {
           return compact.substr(3).starts_with(kind) &&
                  (kind == "interface" || compact.size() == 3 + kind.size() ||
                   is_name(compact.substr(3 + kind.size())));
         });
}

bool is_first_part(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" ,:"));
  return (word == "use" || word == "import" || word == "implicit") && text.find('=') != word.size();
}

bool may_stand_between(std::string_view compact) {
  return compact.starts_with("parameter(") || compact.starts_with("format(");
}

}  // namespace

void Units::open(std::size_t declarations, bool is_interface) {
  open_.push_back(units_.size());
  units_.push_back({is_interface, true, declarations});
}

void Units::see(const Item& item) {
  const std::string compact = item.is_directive ? "" : item.compact();
  if (!item.is_directive &&
      is_unit(item.text, compact, !open_.empty() && units_[current()].is_interface)) {
    open(item.last + 1);
    return;
  }
  if (open_.empty()) {
    open(item.first);
  }
  Unit& unit = units_[current()];
  if (item.is_directive) {
    return;  // a directive may come among the declarations
  }
  if (unit.in_heading && is_first_part(item.text)) {
    unit.declarations = item.last + 1;
    return;
  }
  unit.in_heading = unit.in_heading && may_stand_between(compact);
  if (is_interface(item.text, compact)) {
    open(item.last + 1, true);
  } else if (ends_unit(compact)) {
    open_.pop_back();
  }
}

}  // namespace nestbind::opari
