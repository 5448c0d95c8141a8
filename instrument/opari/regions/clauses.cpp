// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/clauses.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace nestbind::opari {

namespace {

class Reader {
 public:
  Reader(std::string_view text, Language language) : text_(text), fortran_(is_fortran(language)) {}

  bool take(std::string_view word) {
    skip_blanks();
    if (lower(text_.substr(at_, word.size())) != word) {
      return false;
    }
    const std::size_t behind = at_ + word.size();
    if (behind < text_.size() && is_word_character(text_[behind]) && !goes_on(behind)) {
      return false;
    }
    at_ = behind;
    return true;
  }

  std::vector<Clause> clauses() {
    std::vector<Clause> found;
    for (skip_separators(); at_ < text_.size(); skip_separators()) {
      Clause clause;
      while (at_ < text_.size() && is_word_character(text_[at_])) {
        clause.name += text_[at_++];
      }
      if (clause.name.empty()) {
        clause.name = text_[at_++];  // this is not OpenMP, and the compiler reports it
      } else if (fortran_) {
        clause.name = lower(clause.name);
      }
      read_argument(clause);
      found.push_back(clause);
    }
    return found;
  }

 private:
  // In Fortran, "paralleldo" means "parallel do".
  bool goes_on(std::size_t position) const {
    static constexpr std::array kWords = {"do",     "sections", "workshare", "loop",
                                          "master", "masked",   "taskloop",  "simd"};
    return fortran_ && std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
             return lower(text_.substr(position, word.size())) == word;
           });
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }

  void skip_separators() {
    while (at_ < text_.size() &&
           (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ',')) {
      ++at_;
    }
  }

  void read_argument(Clause& clause) {
    std::size_t open = at_;
    while (open < text_.size() && std::isspace(static_cast<unsigned char>(text_[open])) != 0) {
      ++open;
    }
    if (open >= text_.size() || text_[open] != '(') {
      return;
    }
    int depth = 0;
    char quote = '\0';
    at_ = open;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != '\0') {
        if (c == '\\' && !fortran_) {
          ++at_;
        } else if (c == quote) {
          quote = '\0';
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')' && --depth == 0) {
        break;
      }
    }
    clause.argument = trim(text_.substr(open + 1, std::min(at_, text_.size()) - open - 1));
    clause.has_argument = true;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool fortran_;
};

}  // namespace

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

int deeper_by(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return "";
  }
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](unsigned char c) { return std::isspace(c) == 0; });
  return result;
}

bool Directive::has_inner(std::string_view word) const {
  return (" " + inner + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

std::size_t Directive::loops() const {
  for (const Clause& clause : clauses) {
    if (clause.name == "collapse" && !clause.argument.empty() && clause.argument.size() < 3) {
      return std::strtoul(clause.argument.c_str(), nullptr, 10);
    }
  }
  return 1;
}

bool Directive::is_loop() const {
  return has_inner("for") || has_inner("do") || has_inner("simd") || has_inner("loop") ||
         has_inner("taskloop");
}

std::optional<Directive> read_parallel(std::string_view text, Language language) {
  Reader reader(text, language);
  if (!reader.take("parallel")) {
    return std::nullopt;
  }
  Directive directive;
  const auto take = [&](const char* word) {
    const bool found = reader.take(word);
    if (found) {
      directive.inner += (directive.inner.empty() ? "" : " ") + std::string(word);
    }
    return found;
  };
  if (take(is_fortran(language) ? "do" : "for")) {
    take("simd");
  } else if (take("master") || take("masked")) {
    if (take("taskloop")) {
      take("simd");
    }
  } else if (!take("sections") && !take("loop") && is_fortran(language)) {
    take("workshare");
  }
  directive.clauses = reader.clauses();
  return directive;
}

}  // namespace nestbind::opari
