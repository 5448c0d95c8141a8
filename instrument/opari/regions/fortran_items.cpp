// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/fortran_items.hpp"

#include <algorithm>
#include <cctype>

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

}  // namespace

std::vector<Item> read_items(std::string_view text, const Places& places, Language language,
                             std::size_t width) {
  return ItemReader(text, places, language == Language::kFixed, width).run();
}

}  // namespace nestbind::opari
