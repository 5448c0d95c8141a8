// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/fortran_constructs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace nestbind::opari {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_label_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string_view without_name(std::string_view compact) {
  std::size_t i = 0;
  while (i < compact.size() && is_word_character(compact[i])) {
    ++i;
  }
  const bool named = i > 0 && i + 1 < compact.size() && is_letter(compact[0]) &&
                     compact[i] == ':' && compact[i + 1] != ':';
  return named ? compact.substr(i + 1) : compact;
}

// Whether the text after "do" is like "i=1,n". In the assignment "dot = 1" this text is "t=1".
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
    depth += deeper_by(c);
    if (c == ',' && depth == 0) {
      return true;
    }
  }
  return false;
}

std::string kind_with_data(std::string_view text) {
  static const std::set<std::string> words = {"target",   "teams",  "distribute", "parallel",
                                              "do",       "simd",   "task",       "loop",
                                              "taskloop", "master", "masked"};
  static const std::set<std::string> with_data = {"target", "teams", "task", "taskloop"};
  std::string kind;
  bool has_data = false;
  std::size_t at = 0;
  for (;;) {
    at = text.find_first_not_of(" \t", at);
    std::string word;
    while (at < text.size() && is_word_character(text[at])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    }
    if (!words.contains(word)) {
      // "target data" and similar directives contain no code of their own.
      return has_data && word != "data" && word != "update" && word != "enter" && word != "exit"
                 ? kind
                 : "";
    }
    has_data = has_data || with_data.contains(word);
    kind += word;
  }
}

bool is_loop_kind(const std::string& kind) {
  static constexpr std::array kLoops = {"distribute", "do", "simd", "loop"};
  return std::any_of(kLoops.begin(), kLoops.end(),
                     [&](const char* word) { return kind.find(word) != std::string::npos; });
}

// The result is empty if the DO statement has no variable.
std::string loop_variable(std::string_view compact) {
  std::string_view rest = without_name(compact).substr(2);
  rest = rest.substr(std::min(rest.find_first_not_of("0123456789,"), rest.size()));
  return is_loop_control(rest) ? std::string(rest.substr(0, rest.find('='))) : "";
}

bool is_end_do(std::string_view compact) {
  return compact.starts_with("enddo") && compact.find_first_of("=(%") == std::string_view::npos;
}

bool is_block(std::string_view compact) { return without_name(compact) == "block"; }

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

class ConstructFinder {
 public:
  ConstructFinder(const std::vector<Item>& items, Language language)
      : items_(items), language_(language) {}

  Constructs find() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      found_.units.see(items_[i]);
      if (items_[i].is_directive && !used_.contains(i)) {
        see_directive(i);
      }
    }
    end("", items_.size());
    std::sort(found_.all.begin(), found_.all.end(),
              [](const Construct& a, const Construct& b) { return a.item < b.item; });
    return std::move(found_);
  }

 private:
  struct Open {
    std::string kind;
    Construct construct;
  };

  void see_directive(std::size_t item) {
    const std::string compact = lower(items_[item].compact());
    if (compact.starts_with("end")) {
      end(compact, item);
      return;
    }
    Construct construct;
    construct.item = item;
    construct.end = items_.size();
    construct.unit = found_.units.current();
    std::string kind;
    bool is_loop = false;
    if (const auto directive = read_parallel(items_[item].text, language_)) {
      construct.is_region = true;
      construct.directive = *directive;
      kind = "parallel" + without_blanks(directive->inner);
      is_loop = directive->is_loop();
    } else {
      kind = kind_with_data(items_[item].text);
      is_loop = is_loop_kind(kind);
    }
    if (kind.empty()) {
      return;
    }
    if (is_loop ? close_loop(construct) : close_block(construct)) {
      take_end_directive(kind, construct);
      found_.all.push_back(construct);
    } else {
      open_.push_back({kind, construct});
    }
  }

  void end(const std::string& directive, std::size_t item) {
    const bool known = std::any_of(open_.begin(), open_.end(), [&](const Open& open) {
      return directive == "end" + open.kind;
    });
    while (!open_.empty() && (known || directive.empty())) {
      Open last = open_.back();
      open_.pop_back();
      if (directive == "end" + last.kind) {
        last.construct.end = item;
        last.construct.has_end_directive = true;
        found_.all.push_back(last.construct);
        return;
      }
      if (last.construct.is_region) {
        found_.without_end.push_back(last.construct.item);
      }
    }
  }

  // Ends a construct at the end of its loop, even if an end directive follows.
  bool close_loop(Construct& construct) const {
    std::size_t i = construct.item + 1;
    while (i < items_.size() && items_[i].is_directive) {
      ++i;
    }
    std::string label;
    if (i >= items_.size() || !is_do(items_[i].compact(), label)) {
      return false;
    }
    std::size_t loops = construct.directive.loops();
    for (std::size_t j = i; j < items_.size() && loops > 0; ++j) {
      if (!items_[j].is_directive && is_do(items_[j].compact(), label)) {
        const std::string name = loop_variable(items_[j].compact());
        --loops;
        if (!name.empty()) {
          construct.directive.loop_variables.push_back(name);
        }
      }
    }
    construct.end = end_of_loop(items_, i);
    return construct.end < items_.size() && !items_[construct.end].shares_line;
  }

  bool close_block(Construct& construct) const {
    const std::size_t i = construct.item + 1;
    if (i >= items_.size() || items_[i].is_directive || !is_block(items_[i].compact())) {
      return false;
    }
    construct.end = end_of_block(items_, i);
    return construct.end < items_.size();
  }

  void take_end_directive(const std::string& kind, Construct& construct) {
    const std::size_t next = construct.end + 1;
    if (next < items_.size() && items_[next].is_directive &&
        lower(items_[next].compact()) == "end" + kind) {
      construct.end = next;
      construct.has_end_directive = true;
      used_.insert(next);
    }
  }

  const std::vector<Item>& items_;
  Language language_;
  Constructs found_;
  std::vector<Open> open_;
  std::set<std::size_t> used_;  // end directives of loops and blocks that have ended
};

}  // namespace

bool is_do(std::string_view compact, std::string& label) {
  std::string_view rest = without_name(compact);
  label.clear();
  if (!rest.starts_with("do")) {
    return false;
  }
  rest.remove_prefix(2);
  while (!rest.empty() && is_label_digit(rest[0])) {
    label += rest[0];
    rest.remove_prefix(1);
  }
  if (!label.empty() && !rest.empty() && rest[0] == ',') {
    rest.remove_prefix(1);
  }
  return rest.empty() || (rest.starts_with("while(") && rest.back() == ')') ||
         rest.starts_with("concurrent(") || is_loop_control(rest);
}

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
    // One statement may end several loops.
    while (!open.empty() && !items[i].label.empty() && open.back() == items[i].label) {
      open.pop_back();
    }
    if (open.empty()) {
      return i;
    }
  }
  return items.size();
}

Constructs find_constructs(const std::vector<Item>& items, Language language) {
  return ConstructFinder(items, language).find();
}

}  // namespace nestbind::opari
