// SPDX-License-Identifier: BSD-3-Clause
// Tests that the manual and the options' help agree with the table of variables.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "options/table.hpp"

using namespace nestbind::options;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

std::string page(const char* name) {
  std::ifstream file(NESTBIND_SOURCE_DIR "/docs/man/" + std::string(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string item(const std::string& text, const std::string& begin) {
  auto from = text.find("\n.It " + begin);
  while (from != std::string::npos && text[from + begin.size() + 5] == '-') {  // --memory-policy
    from = text.find("\n.It " + begin, from + 1);
  }
  REQUIRE(from != std::string::npos);
  const std::string macro = begin.substr(0, begin.find(' '));
  return text.substr(from, text.find("\n.It " + macro + " ", from + 1) - from);
}

// The bold words of an item's first line are values that a user types. If a word begins with a
// comma, the user adds it to another word.
std::vector<std::string> bold(const std::string& text) {
  std::istringstream line(text.substr(1, text.find('\n', 1) - 1));
  std::vector<std::string> words;
  bool is_bold = false;
  for (std::string word; line >> word;) {
    if (word == "Cm" || word == "Ar" || word == "Ev") {
      is_bold = word == "Cm";
    } else if (is_bold && word[0] != ',' && word != "|" && word != "Ns" && word != "Op" &&
               word != "Oo" && word != "Oc" && word != "\\&:") {
      words.push_back(word);
    }
  }
  return words;
}

std::vector<std::string> words_of(const Rule& rule) {
  std::vector<std::string> words;
  for (int i = 0; rule.words[i] != nullptr; ++i) {
    words.emplace_back(rule.words[i]);
  }
  return words;
}

}  // namespace

TEST_CASE("nestbind-environment(7) has the words and the default of each row") {
  const std::string text = page("nestbind-environment.7");
  std::size_t items = 0;
  for (auto at = text.find("\n.It Ev NESTBIND_"); at != std::string::npos;
       at = text.find("\n.It Ev NESTBIND_", at + 1)) {
    ++items;
  }
  CHECK(items == kVariables);
  for (const auto& [rule, unset, option] : kTable) {
    INFO(rule.name);
    const std::string about = item(text, std::string("Ev ") + rule.name + " Ns = Ns ");
    CHECK(bold(about) == words_of(rule));
    CHECK((about.substr(0, about.find('\n', 1)).find(" Ar ") != std::string::npos) ==
          (rule.others != nullptr));
    if (unset != nullptr) {
      CHECK_THAT(about, Contains(std::string("By default\n.Pq Cm ") + unset + "\n"));
    }
  }
}

TEST_CASE("nestbind(1) has the option, the words and the variable of each row") {
  const std::string text = page("nestbind.1");
  for (const auto& [rule, unset, option] : kTable) {
    if (option.name == nullptr) {
      continue;
    }
    INFO(option.name);
    const std::string about = item(text, std::string("Fl ") + (option.name + 1));
    if (rule.name != std::string("NESTBIND_RUNTIME")) {
      CHECK_THAT(about, Contains(std::string("Sets\n.Ev ") + rule.name + " ."));
    }
    for (const std::string& word : words_of(rule)) {
      if (option.bare == nullptr && word != (unset == nullptr ? "" : unset)) {
        CHECK_THAT(about, Contains(word));
      }
    }
  }
}

TEST_CASE("the help has the same words and default as the row") {
  for (const auto& [rule, unset, option] : kTable) {
    const std::string help = option.name == nullptr ? "" : option.help;
    if (help.find("by default") != std::string::npos) {
      CHECK_THAT(help, Contains(std::string("; by default ") + rule.name + ", or "));
      CHECK_THAT(help, EndsWith(unset == nullptr ? "" : std::string(", or ") + unset));
      CHECK_THAT(help, Contains(unset == nullptr ? "" : expected(rule).text));
    }
  }
}
