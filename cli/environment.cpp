// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/inspect/text.hpp"
#include "cli/message.hpp"
#include "cli/nearest.hpp"
#include "cli/order.hpp"
#include "cli/specification.hpp"
#include "loops/schedule.hpp"
#include "memory/wish/wish.hpp"
#include "show/canonical.hpp"

namespace nestbind::cli {

namespace {

constexpr char kSizesWin[] = "the specification's sizes win, unless NESTBIND_TEAM_SIZES=ignore";
constexpr char kSmallerTeams[] = "teams may be smaller than specified; those that fork are placed";

constexpr struct {
  const char* name;
  const char* effect;
} kOthers[] = {
    {"KMP_HW_SUBSET",
     "LLVM's and Intel's runtimes use a part of the machine; the specification wins"},
    {"OMP_NUM_THREADS", kSizesWin},
    {"OMP_NESTED", kSizesWin},
    {"OMP_MAX_ACTIVE_LEVELS", kSizesWin},
    {"OMP_DYNAMIC", kSmallerTeams},
    {"OMP_THREAD_LIMIT", kSmallerTeams},
    {"KMP_HOT_TEAMS_MAX_LEVEL", "LLVM's and Intel's runtimes keep teams down to this level"},
    {"KMP_HOT_TEAMS_MODE",
     "says what LLVM's and Intel's runtimes do with the threads of kept teams"},
    {"OMP_TOOL", "\"disabled\" keeps LLVM's and Intel's runtimes from starting any tool"},
    {"OMP_TOOL_LIBRARIES", "another tool; it gets its events behind nestbind"},
    {"LD_PRELOAD", "nestbind run puts the library before these, behind sanitizers"},
};

// What nestbind-instrument reads.
constexpr struct {
  const char* name;
  const char* effect;
} kOfInstrument[] = {
    {"NESTBIND_OPARI", "the tool of nestbind-instrument; runs are as without it"},
    {"NESTBIND_OPARI_RC", "OPARI 1's state file for nestbind-instrument; runs are as without it"},
    {"NESTBIND_CC", "the C compiler of nestbind-instrument; runs are as without it"},
};

// Of a bad schedule of loops.
constexpr char kIgnored[] =
    "a process with the library ignores it: loops are the runtime's own; nestbind run refuses it";
constexpr char kPlainOrder[] =
    "a process with the library takes the plain order; nestbind run refuses it";
constexpr char kStops[] = "with NESTBIND_STRICT=1 the process stops";

constexpr char kOwnPrefix[] = "NESTBIND_";

// By their own words: what all names have in common makes none of them near.
std::string suggested_variable(const std::string& name) {
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

bool is_unknown(std::string_view name) {
  const auto known = known_variables();
  return (name.starts_with(kOwnPrefix) || name.starts_with("OMP_NESTING_")) &&
         std::ranges::find(known, name) == known.end();
}

// Empty where it is not set.
std::string value_of(const Variables& variables, const std::string& name) {
  const auto found =
      std::ranges::find(variables, name, &std::pair<std::string, std::string>::first);
  return found == variables.end() ? "" : found->second;
}

// What stands behind a per cent sign and is none of the signs of file names; empty where all are.
std::string unknown_sign(std::string_view name) {
  for (auto at = name.find('%'); at != std::string_view::npos; at = name.find('%', at + 2)) {
    if (at + 1 == name.size() ||
        std::string_view("hpr%").find(name[at + 1]) == std::string_view::npos) {
      return std::string(name.substr(at, 2));
    }
  }
  return {};
}

// What is wrong with the name of a file; empty of a good one.
std::string fault_of_sign(std::string_view name) {
  const std::string sign = unknown_sign(name);
  return sign.empty() ? ""
                      : sign +
                            " is none of %h (host), %p (process), %r (rank) and %% in the name "
                            "of the file";
}

// The name of a file that a variable's value has; empty of others.
std::string_view file_in(const options::Rule& rule, std::string_view value) {
  if (&rule == &options::kTable[options::kTrace].rule) {
    return value;
  }
  const auto colon = value.find(':');
  const bool is_report = &rule == &options::kTable[options::kReport].rule;
  return is_report && colon != std::string_view::npos ? value.substr(colon + 1) : "";
}

bool is_schedule(const options::Rule& rule) {
  return &rule == &options::kTable[options::kSchedule].rule;
}

bool is_memory(const options::Rule& rule) {
  return &rule == &options::kTable[options::kMemory].rule;
}

bool is_order(const options::Rule& rule) { return &rule == &options::kTable[options::kOrder].rule; }

// The words of a list such as "one, two or three".
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

// Which of the words that a schedule may have there was meant by the one that is there.
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

// What is wrong with a schedule of loops, and where; empty of a good one.
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

// What is wrong with what is asked for memory; empty of a good one.
std::string fault_of_memory(const std::string& text) {
  nestbind::memory::Wish wish;
  nestbind::memory::WishFault fault;
  char message[1024];
  if (parse(text.c_str(), wish, fault)) {
    return wish.file == nullptr ? "" : fault_of_sign(wish.file);
  }
  return std::string(message, describe(text, fault, message, sizeof message));
}

void examine_specification(const Variables& variables, Findings& findings) {
  const std::string text = value_of(variables, options::kSpecification);
  if (text.empty()) {
    return;
  }
  spec::Spec spec;
  const std::string fault = parse(text, spec);
  if (fault.empty()) {
    findings.fact("specification", "OMP_NESTING_TEAM_SIZE=" + show::canonical(spec) +
                                       (spec.is_off() ? ": nothing is bound" : ""));
  } else {
    findings.printable_problem("OMP_NESTING_TEAM_SIZE, " + fault);
  }
}

void examine_other(const Variables& variables, const char* name, const char* effect,
                   Findings& findings) {
  const std::string value = value_of(variables, name);
  if (!value.empty()) {
    findings.fact("environment", std::string(name) + "=" + value + ": " + effect);
  }
}

void examine_unknown(Findings& findings, const std::string& name, const std::string& setting) {
  const auto tool =
      std::ranges::find_if(kOfInstrument, [&](const auto& one) { return name == one.name; });
  const std::string meant = suggested_variable(name);
  findings.fact(
      "environment",
      setting + (tool != std::end(kOfInstrument) ? std::string(": ") + tool->effect
                 : meant.empty()                 ? ": nestbind has no such variable"
                                 : ": nestbind has no such variable; did you mean " + meant + "?"));
}

// An empty one is as one that is not set.
void examine_own(Findings& findings, const std::string& name, const std::string& value,
                 bool is_strict) {
  const std::string setting = name + "=" + value;
  const auto row = std::ranges::find_if(
      options::kTable, [&](const options::Row& one) { return name == one.rule.name; });
  if (value.empty()) {
    return;
  }
  if (row == std::end(options::kTable)) {
    examine_unknown(findings, name, setting);
  } else if (row == &options::kTable[options::kMachine]) {
    findings.problem(setting + ": a dry run, nothing is bound");
  } else if (const std::string fault = fault_of(row->rule, value); fault.empty()) {
    findings.fact("environment", setting);
  } else if (is_order(row->rule)) {
    findings.printable_ignored("order", row->rule.name,
                               printable(setting) + ": " + fault + "\n" + kPlainOrder);
  } else if (is_memory(row->rule)) {  // of several lines
    findings.printable_problem(printable(setting) + ": " + fault);
  } else if (!is_schedule(row->rule)) {
    findings.problem(setting + ": " + fault);
  } else if (is_strict) {
    findings.printable_problem(printable(setting) + ": " + fault + "\n" + kStops);
  } else {
    findings.printable_ignored("loops", row->rule.name,
                               printable(setting) + ": " + fault + "\n" + kIgnored);
  }
}

}  // namespace

std::string fault_of(const options::Rule& rule, const std::string& value) {
  options::Settings unused;
  if (!take(rule, value.c_str(), unused)) {
    std::vector<std::string> words;
    for (const char* const* word = rule.words; *word != nullptr; ++word) {
      words.emplace_back(*word);
    }
    return std::string("expected ") + expected(rule).text + suggestion(value, words);
  }
  if (is_schedule(rule)) {
    return fault_of_schedule(value);
  }
  if (is_memory(rule)) {
    return fault_of_memory(value);
  }
  if (is_order(rule)) {
    plan::Order order;
    return fault_of_order(value, order);
  }
  return fault_of_sign(file_in(rule, value));
}

std::vector<std::string> known_variables() {
  std::vector<std::string> names = {options::kSpecification};
  for (const options::Row& row : options::kTable) {
    names.emplace_back(row.rule.name);
  }
  for (const auto& [name, effect] : kOfInstrument) {
    names.emplace_back(name);
  }
  return names;
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

void examine_environment(const Variables& variables, Findings& findings) {
  examine_specification(variables, findings);
  options::Settings settings;
  const options::Rule& strict = options::kTable[options::kStrict].rule;
  take(strict, value_of(variables, strict.name).c_str(), settings);
  for (const auto& [name, value] : variables) {
    if (name.starts_with(kOwnPrefix) || is_unknown(name)) {
      examine_own(findings, name, value, settings.strict);
    }
  }
  for (const char* name : options::kCompeting) {
    examine_other(variables, name, "binds too; the specification wins", findings);
  }
  for (const auto& [name, effect] : kOthers) {
    examine_other(variables, name, effect, findings);
  }
}

void warn_of_unknown_variables() {
  for (const auto& [name, value] : own_variables()) {
    const std::string meant = value.empty() || !is_unknown(name) ? "" : suggested_variable(name);
    if (!meant.empty()) {
      warn("{} is set, and nobody reads it; did you mean {}?", name, meant);
    }
  }
}

bool tools_are_disabled() {
  const std::string value = inspect::variable("OMP_TOOL");
  return !value.empty() && strcasecmp(value.c_str(), "enabled") != 0;
}

}  // namespace nestbind::cli
