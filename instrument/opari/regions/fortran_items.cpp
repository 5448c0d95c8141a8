// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "instrument/opari/regions/fortran_constructs.hpp"

namespace nestbind::opari {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::size_t first_of_line(std::string_view line) { return line.find_first_not_of(" \t\r"); }

std::string_view without_comment(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != '\0') {
      quote = line[i] == quote ? '\0' : quote;
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == '!') {
      return line.substr(0, i);
    }
  }
  return line;
}

class ItemReader {
 public:
  ItemReader(std::string_view text, const Places& places, bool fixed, std::size_t width)
      : text_(text), places_(places), fixed_(fixed), width_(width) {}

  std::vector<Item> run() {
    for (; at_ < places_.lines().size(); ++at_) {
      if (places_.lines()[at_].is_mark) {
        continue;
      }
      std::string line = line_of(at_);
      if (fixed_) {
        read_fixed(line);
      } else {
        read_free(line);
      }
    }
    flush(false);
    return items_;
  }

 private:
  std::string line_of(std::size_t number) const {
    const Line& line = places_.lines()[number];
    return std::string(text_.substr(line.begin, line.end - line.begin));
  }

  // Whether "!$omp" is at this position, and not only the "!$" of conditional compilation.
  static bool is_sentinel(std::string_view line, std::size_t at) {
    return lower(line.substr(at + 1, 4)) == "$omp";
  }

  void read_free(std::string& line) {
    const std::size_t first = first_of_line(line);
    if (first == std::string::npos || (line[first] == '#' && quote_ == '\0')) {
      return;
    }
    if (line[first] == '!' && quote_ == '\0') {
      if (is_sentinel(line, first) &&
          (first + 5 >= line.size() || is_blank(line[first + 5]) || line[first + 5] == '&')) {
        flush(false);
        read_free_directive(line.substr(first + 5));
        return;
      }
      if (line.compare(first, 2, "!$") != 0 ||
          (first + 2 < line.size() && !is_blank(line[first + 2]))) {
        return;
      }
      line.replace(first, 2, "  ");
    }
    const std::size_t code = first_of_line(line);
    if (code == std::string::npos) {
      return;
    }
    if (!continued_) {
      begin_statement();
      read_label(line, code);
    } else if (line[code] == '&') {
      line[code] = ' ';
      read_code(std::string_view(line).substr(code + 1));
      return;
    } else {
      statement_.text += ' ';
    }
    read_code(line);
  }

  void read_free_directive(std::string line) {
    Item item{true, at_, at_, "", "", false};
    for (;;) {
      std::string part = trim(without_comment(line));
      const bool continued = !part.empty() && part.back() == '&';
      if (continued) {
        part.pop_back();
      }
      const bool joined = !part.empty() && part.front() == '&';
      item.text += joined ? "" : " ";
      item.text.append(part, joined ? 1 : 0);
      if (!continued || !next_directive_line(line)) {
        break;
      }
      item.last = at_;
    }
    item.text = trim(item.text);
    items_.push_back(item);
  }

  bool next_directive_line(std::string& line) {
    for (std::size_t next = at_ + 1; next < places_.lines().size(); ++next) {
      if (places_.lines()[next].is_mark) {
        continue;
      }
      const std::string candidate = line_of(next);
      const std::size_t first = first_of_line(candidate);
      if (first == std::string::npos) {
        continue;
      }
      if (candidate[first] != '!') {
        return false;
      }
      if (is_sentinel(candidate, first)) {
        at_ = next;
        line = candidate.substr(first + 5);
        return true;
      }
    }
    return false;
  }

  void read_fixed(std::string& line) {
    if (line.empty() || line[0] == '#') {
      return;
    }
    if (std::string_view("cC*!").find(line[0]) != std::string_view::npos) {
      if (is_sentinel(line, 0)) {
        read_fixed_directive(line);
        return;
      }
      const bool conditional =
          line.size() > 2 && line[1] == '$' &&
          line.substr(2, 3).find_first_not_of(" 0123456789\t") == std::string::npos;
      if (!conditional) {
        return;
      }
      line.replace(0, 2, "  ");
    }
    const std::size_t first = first_of_line(line);
    if (first == std::string::npos || (line[first] == '!' && first != 5)) {
      return;
    }
    const std::size_t tab = line.substr(0, 6).find('\t');
    bool continues = false;
    std::size_t code = 6;
    if (tab != std::string::npos) {
      continues = tab + 1 < line.size() && line[tab + 1] >= '1' && line[tab + 1] <= '9';
      code = tab + (continues ? 2 : 1);
    } else {
      line.resize(std::min(line.size(), width_));
      continues = line.size() > 5 && line[5] != ' ' && line[5] != '0';
    }
    if (!continues) {
      flush(false);
      quote_ = '\0';
      begin_statement();
      statement_.label = trim(line.substr(0, std::min(code, std::size_t{5})));
    }
    statement_.last = at_;
    if (code < line.size()) {
      read_code(std::string_view(line).substr(code));
    }
    continued_ = true;  // until a line shows that the statement has ended
  }

  void read_fixed_directive(std::string& line) {
    line.resize(std::max(std::min(line.size(), width_), std::size_t{6}), ' ');
    const std::string part(without_comment(std::string_view(line).substr(6)));
    if (line[5] == ' ' || line[5] == '0' || line[5] == '\t' || items_.empty()) {
      flush(false);
      items_.push_back({true, at_, at_, part, "", false});
    } else if (items_.back().is_directive) {
      items_.back().text += part;
      items_.back().last = at_;
    }
  }

  void begin_statement() {
    statement_ = {false, at_, at_, "", "", false};
    open_ = true;
  }

  void read_label(std::string& line, std::size_t code) {
    std::size_t end = code;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) {
      statement_.label += line[end];
      line[end++] = ' ';
    }
  }

  void read_code(std::string_view line) {
    continued_ = false;
    statement_.last = at_;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (!fixed_ && c == '&' && line.find_first_not_of(" \t\r", i + 1) == std::string_view::npos) {
        continued_ = true;
        return;
      }
      if (!fixed_ && quote_ == '\0' && c == '&' &&
          trim(without_comment(line.substr(i + 1))).empty()) {
        continued_ = true;
        return;
      }
      if (quote_ != '\0') {
        quote_ = c == quote_ ? '\0' : quote_;
      } else if (c == '\'' || c == '"') {
        quote_ = c;
        statement_.text += '@';
      } else if (c == '!') {
        break;
      } else if (c == ';') {
        flush(true);
        begin_statement();
      } else {
        statement_.text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    if (!fixed_) {
      quote_ = '\0';
      flush(false);
    }
  }

  void flush(bool more_on_line) {
    if (open_) {
      statement_.text = trim(statement_.text);
      statement_.shares_line = more_on_line;
      if (!statement_.text.empty()) {
        items_.push_back(statement_);
      }
      open_ = false;
      continued_ = false;
    }
  }

  std::string_view text_;
  const Places& places_;
  bool fixed_;
  std::size_t width_;
  std::size_t at_ = 0;
  std::vector<Item> items_;
  Item statement_;
  bool open_ = false;
  bool continued_ = false;
  char quote_ = '\0';
};

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

std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width) {
  return ItemReader(text, places, language == Language::kFixed, width).run();
}

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
