// SPDX-License-Identifier: BSD-3-Clause
#include "cli/common/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/inspect/text.hpp"
#include "cli/rules/rules_file.hpp"
#include "loops/schedule.hpp"
#include "memory/orders/order_file.hpp"
#include "memory/wish/wish.hpp"
#include "options/site_file.hpp"
#include "ranks/launcher.hpp"
#include "support/file_name.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::cli {

namespace {

bool is(const options::Rule& rule, options::Variable variable) {
  return &rule == &options::kTable[variable].rule;
}

std::string file_in(const options::Rule& rule, const std::string& value) {
  if (is(rule, options::kTrace)) {
    return value;
  }
  const auto colon = value.find(':');
  const bool is_report = is(rule, options::kReport);
  return is_report && colon != std::string::npos ? value.substr(colon + 1) : "";
}

std::vector<std::string> words_in(std::string_view list) {
  std::vector<std::string> words(1);
  for (const char letter : list) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      words.back() += letter;
    } else {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.empty() || word == "or"; });
  return words;
}

std::string suggested_word(const std::string& text, const loops::Fault& fault) {
  using loops::Error;
  const bool is_about_words = fault.error == Error::kBadKind || fault.error == Error::kBadOption ||
                              fault.error == Error::kBadWord;
  std::string word = text.substr(fault.position);
  word.erase(std::min(word.find_first_of(" ,=\t\n"), word.size()));
  std::ranges::transform(word, word.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  const std::vector<std::string> words = words_in(fault.expected);
  if (!is_about_words || std::ranges::find(words, word) != words.end()) {
    return "";
  }
  return suggestion(word, words);
}

std::string fault_of_schedule(const std::string& text) {
  loops::Schedule schedule;
  loops::Fault fault;
  char message[1024];
  if (loops::parse(text, schedule, fault)) {
    return "";
  }
  std::string told(message, loops::describe(text, fault, message, sizeof message));
  return told.insert(told.find('\n'), suggested_word(text, fault));
}

std::string fault_of_memory(const std::string& text) {
  nestbind::memory::Wish wish;
  nestbind::memory::WishFault fault;
  if (text.starts_with(nestbind::memory::kOrdersWord)) {  // nestbind memory has set it
    return "";
  }
  return parse(text, wish, fault) ? fault_of_file_name(wish.file) : describe(text, fault);
}

unsigned g_off = 0;

}  // namespace

std::string fault_of_file_name(const std::string& name) {
  support::TextBuffer unused;
  const char* const unknown = support::expand_file_name(name.c_str(), nullptr, 0, unused);
  return unknown == nullptr ? ""
                            : std::string(unknown, strnlen(unknown, 2)) +
                                  " is not known in the name of a file, expected %h (host), %p "
                                  "(process), %r (rank) or %%";
}

std::string expanded_file_name(const std::string& name) {
  const auto value_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr || *value == '\0' ? nullptr : value;
  };
  options::Settings settings;
  const options::Rule& rule = options::kTable[options::kRanks].rule;
  if (const char* const by_hand = value_of(rule.name)) {
    take(rule, by_hand, settings);
  }
  support::TextBuffer expanded;
  support::expand_file_name(name.c_str(), ranks::rank_in(value_of), settings.local_rank, expanded);
  return expanded.text();
}

std::string fault_of(const options::Rule& rule, const std::string& value) {
  options::Settings unused;
  if (!take(rule, value.c_str(), unused)) {
    std::vector<std::string> words;
    for (const char* const* word = rule.words; *word != nullptr; ++word) {
      words.emplace_back(*word);
    }
    return std::string("expected ") + expected(rule).text + suggestion(value, words);
  }
  if (is(rule, options::kSchedule)) {
    return fault_of_schedule(value);
  }
  if (is(rule, options::kMemory)) {
    return fault_of_memory(value);
  }
  if (is(rule, options::kRegionRules)) {
    RulesFile file;
    return fault_of_rules(value, file);
  }
  if (is(rule, options::kOrder)) {
    plan::Order order;
    return fault_of_order(value, order);
  }
  return fault_of_file_name(file_in(rule, value));
}

std::vector<std::string> known_variables() {
  std::vector<std::string> names = {options::kSpecification};
  for (const options::Row& row : options::kTable) {
    names.emplace_back(row.rule.name);
  }
  for (const VariableOfTool& one : kOfInstrument) {
    names.emplace_back(one.name);
  }
  return names;
}

bool is_unknown(std::string_view name) {
  const auto known = known_variables();
  const bool is_folder = name == "NESTBIND_ROOT";  // CMake uses this name; NESTBIND_ROOTS is ours
  return !is_folder && (name.starts_with(kOwnPrefix) || name.starts_with("OMP_NESTING_")) &&
         std::ranges::find(known, name) == known.end();
}

std::string suggested_variable(const std::string& name) {
  // Compares only the part after the prefix, because the prefix makes all names similar.
  const auto own_word = [](const std::string& whole) {
    const bool is_own = whole.starts_with(kOwnPrefix);
    return is_own ? whole.substr(sizeof kOwnPrefix - 1) : whole;
  };
  std::vector<std::string> words;
  for (const std::string& known : known_variables()) {
    words.push_back(own_word(known));
  }
  const std::string word = nearest(own_word(name), words);
  return word.empty() || word == options::kSpecification ? word : kOwnPrefix + word;
}

Variables own_variables() {
  Variables variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto equals = variable.find('=');
    if (equals != std::string_view::npos) {
      variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    }
  }
  return variables;
}

void warn_of_unknown_variables() {
  for (const auto& [name, value] : own_variables()) {
    const std::string meant = value.empty() || !is_unknown(name) ? "" : suggested_variable(name);
    if (!meant.empty()) {
      warn("{} is set, but nestbind does not read it; did you mean {}?", name, meant);
    }
  }
}

void take_site() {
  options::SiteText text;
  options::read_site_file(text);
  options::each_site_line(text, [](int, const options::SiteLine& line) {
    const char* const name = line.variable < 0 ? nullptr : options::kTable[line.variable].rule.name;
    if (line.value != nullptr && inspect::variable(name).empty()) {
      setenv(name, line.value, 1);
    }
    g_off |= line.feature < 0 ? 0 : 1U << line.feature;
  });
}

bool is_turned_off(options::Feature feature) {
  const bool is_off = (g_off & (1U << feature | 1U << options::kEverythingOff)) != 0;
  if (is_off) {
    say("turned off by {}: {}", options::site_file(), options::kFeatureNames[feature]);
  }
  return is_off;
}

bool tools_are_disabled() { return !support::starts_tools(std::getenv("OMP_TOOL")); }

}  // namespace nestbind::cli
