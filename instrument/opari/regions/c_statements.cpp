// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/c_statements.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      step();
    }
    return tokens_;
  }

 private:
  char here(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = here();
    if (c == '\n') {
      fresh_line_ = true;
      ++at_;
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
      return;
    }
    const bool fresh = fresh_line_;
    fresh_line_ = false;
    if (c == '#' && fresh) {
      directive();
    } else if (c == '/' && (here(1) == '/' || here(1) == '*')) {
      comment();
      fresh_line_ = fresh;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (is_digit(c) || (c == '.' && is_digit(here(1)))) {
      number();
    } else if (is_word_character(c)) {
      word();
    } else {
      punctuation();
    }
  }

  void add(Token::Kind kind, std::size_t begin, char character = '\0') {
    tokens_.push_back({kind, character, begin, at_});
  }

  void directive() {
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n' && text_[at_ - 1] != '\\') {
        ++at_;
        break;
      }
    }
    fresh_line_ = true;
    if (!directive_text(text_, {Token::kDirective, '\0', begin, at_}).empty()) {
      add(Token::kDirective, begin);
    }
  }

  void comment() {
    const bool long_one = here(1) == '*';
    const std::size_t end = text_.find(long_one ? "*/" : "\n", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (long_one ? 2 : 0);
  }

  void quoted(char quote) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + (here() == quote ? 1 : 0), text_.size());
    add(Token::kOther, begin);
  }

  void number() {
    const std::size_t begin = at_;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const char before = lower(text_.substr(at_ - 1, 1))[0];
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'p');
      const bool separator = c == '\'' && is_word_character(here(1));
      if (!is_word_character(c) && c != '.' && !sign && !separator) {
        break;
      }
    }
    add(Token::kOther, begin);
  }

  void word() {
    const std::size_t begin = at_;
    while (is_word_character(here())) {
      ++at_;
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    static constexpr std::array<std::string_view, 5> kRaw = {"R", "LR", "uR", "UR", "u8R"};
    if (here() == '"' && std::find(kRaw.begin(), kRaw.end(), name) != kRaw.end()) {
      raw_string(begin);
    } else {
      add(Token::kWord, begin);
    }
  }

  void raw_string(std::size_t begin) {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text_.size();
      return;
    }
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    add(Token::kOther, begin);
  }

  void punctuation() {
    static constexpr std::array<std::array<char, 3>, 4> kDigraphs = {
        {{'<', '%', '{'}, {'%', '>', '}'}, {'<', ':', '['}, {':', '>', ']'}}};
    const std::size_t begin = at_;
    char c = here();
    ++at_;
    for (const auto& digraph : kDigraphs) {
      // For example, "<::x" means "<" and "::x".
      const bool scope = digraph[1] == ':' && here(1) == ':' && here(2) != ':' && here(2) != '>';
      if (c == digraph[0] && here() == digraph[1] && !scope) {
        c = digraph[2];
        ++at_;
        break;
      }
    }
    add(Token::kPunctuation, begin, c);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool fresh_line_ = true;
  std::vector<Token> tokens_;
};

class Statements {
 public:
  Statements(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens) {}

  // Each function returns the index of the token after its part, or the number of tokens.
  std::size_t statement(std::size_t i) {
    i = behind_attributes(i);
    if (i >= tokens_.size() || depth_ > kDeepest) {
      return end();
    }
    ++depth_;
    const std::size_t behind = statement_of_kind(i);
    --depth_;
    return behind;
  }

  std::size_t end() const { return tokens_.size(); }

 private:
  static constexpr int kDeepest = 2000;

  std::size_t statement_of_kind(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::kDirective) {
      return stands_alone(token) ? i + 1 : statement(i + 1);
    }
    if (is(i, '{')) {
      return behind_bracket(i);
    }
    if (token.kind == Token::kWord) {
      const std::string_view word = word_at(i);
      if (word == "for" || word == "while" || word == "switch" || word == "if") {
        return controlled(i, word == "if");
      }
      if (word == "do") {
        return behind_semicolon(statement(i + 1));
      }
      if (word == "try") {
        return behind_handlers(behind_bracket(i + 1));
      }
      if (word == "case" || word == "default" || is_colon(i + 1)) {
        return labelled(i);
      }
    }
    return behind_semicolon(i);
  }

  bool is(std::size_t i, char character) const {
    return i < tokens_.size() && tokens_[i].kind == Token::kPunctuation &&
           tokens_[i].character == character;
  }
  bool is_colon(std::size_t i) const {
    return is(i, ':') && !(is(i + 1, ':') && tokens_[i + 1].begin == tokens_[i].end);
  }
  std::string_view word_at(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::kWord
               ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
               : std::string_view();
  }

  bool stands_alone(const Token& token) const {
    static constexpr std::array<std::string_view, 13> kAlone = {
        "barrier", "taskwait", "taskyield",     "flush",   "cancel",   "cancellation", "depobj",
        "error",   "nothing",  "threadprivate", "declare", "requires", "scan"};
    const std::string_view words = directive_text(text_, token);
    const std::string_view first = words.substr(0, words.find_first_of(" \t("));
    return std::find(kAlone.begin(), kAlone.end(), first) != kAlone.end();
  }

  std::size_t behind_attributes(std::size_t i) const {
    while (is(i, '[') && is(i + 1, '[')) {
      i = behind_bracket(i);
    }
    return word_at(i) == "__extension__" ? behind_attributes(i + 1) : i;
  }

  std::size_t behind_bracket(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Token::kPunctuation) {
        continue;
      }
      depth += deeper_by(tokens_[i].character);
      if (depth <= 0) {
        return i + 1;
      }
    }
    return end();
  }

  std::size_t behind_semicolon(std::size_t i) const {
    while (i < tokens_.size() && !is(i, ';')) {
      const bool opens = is(i, '(') || is(i, '[') || is(i, '{');
      i = opens ? behind_bracket(i) : i + 1;
    }
    return std::min(i + 1, end());
  }

  std::size_t controlled(std::size_t i, bool is_if) {
    for (++i; i < tokens_.size() && !is(i, '(') && !is(i, '{'); ++i) {
    }
    i = statement(is(i, '(') ? behind_bracket(i) : i);
    return is_if && word_at(i) == "else" ? statement(i + 1) : i;
  }

  std::size_t behind_handlers(std::size_t i) const {
    while (word_at(i) == "catch") {
      i = behind_bracket(behind_bracket(i + 1));
    }
    return i;
  }

  std::size_t labelled(std::size_t i) {
    while (i < tokens_.size() && !is_colon(i)) {
      const bool opens = is(i, '(') || is(i, '[') || is(i, '{');
      const bool scope = is(i, ':');
      i = opens ? behind_bracket(i) : i + (scope ? 2 : 1);
    }
    return statement(i + 1);
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  int depth_ = 0;
};

}  // namespace

std::vector<Token> read_tokens(std::string_view text) { return Lexer(text).run(); }

std::string_view directive_text(std::string_view text, const Token& token) {
  std::string_view rest = text.substr(token.begin, token.end - token.begin);
  for (const std::string_view word : {"#", "pragma", "omp"}) {
    const std::size_t at = rest.find_first_not_of(" \t\\\n\r");
    if (at == std::string_view::npos || rest.substr(at, word.size()) != word) {
      return {};
    }
    rest.remove_prefix(at + word.size());
    if (word != "#" && !rest.empty() && is_word_character(rest[0])) {
      return {};
    }
  }
  const std::size_t first = rest.find_first_not_of(" \t\\\n\r");
  return first == std::string_view::npos ? std::string_view() : rest.substr(first);
}

std::vector<std::string> loop_variables(std::string_view text, const std::vector<Token>& tokens,
                                        std::size_t first, std::size_t loops) {
  const auto text_at = [&](std::size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
                             : std::string_view();
  };
  std::vector<std::string> names;
  for (std::size_t i = first; i < tokens.size() && loops > 0; ++i) {
    if (text_at(i) == "for") {
      --loops;
      if (text_at(i + 3) == "=") {  // "for (i ="; a declaration would have a type before i
        names.emplace_back(text_at(i + 2));
      }
    }
  }
  return names;
}

std::optional<std::size_t> end_of_statement(std::string_view text, const std::vector<Token>& tokens,
                                            std::size_t first) {
  Statements statements(text, tokens);
  const std::size_t behind = statements.statement(first);
  return behind < statements.end() ? std::optional(behind) : std::nullopt;
}

}  // namespace nestbind::opari
