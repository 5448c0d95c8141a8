// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "cli/common/environment.hpp"
#include "cli/common/printable.hpp"
#include "cli/common/say.hpp"
#include "cli/common/specification.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

namespace {

bool is_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) != 0;
}

// Puts a blank before a number, so that CLI11 reads "-2" as a (wrong) SPEC, not as an option.
std::string shield(const std::string& word) { return is_number(word) ? " " + word : word; }

// True for a value of --report. No specification begins with such a word.
bool is_report(const std::string& word) {
  const std::string format = word.substr(0, word.find_first_of(",:"));
  const auto& words = options::kTable[options::kReport].rule.words;
  return std::any_of(std::begin(words), std::end(words),
                     [&](const char* one) { return one != nullptr && format == one; });
}

// True if the next word is the value of this option.
bool takes_next(const std::string& word) {
  for (const options::Row& row : options::kTable) {
    if (row.option.name != nullptr && word == row.option.name) {
      return row.option.bare == nullptr;
    }
  }
  return word == "--topology" || word == "--cpus" || word == "--places" ||
         word == "--memory-policy" || word == "--library";
}

// Returns how many words come before the program and its arguments.
std::size_t join_report(std::vector<std::string>& words) {
  bool has_spec = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_option = words[i].starts_with('-') && !is_number(words[i]);
    if (words[i] == "--report" && i + 1 < words.size() && is_report(words[i + 1])) {
      words[i] += "=" + words[i + 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else if (is_option) {
      i += takes_next(words[i]) ? 1 : 0;
    } else if (has_spec) {
      return i;
    } else {
      has_spec = true;
    }
  }
  return words.size();
}

bool is_print_env(const std::string& word) {
  return !nearest(word.substr(0, word.find('=')), {"--print-env"}).empty();
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words) {
  const std::vector<std::string> known = options_of(command);
  const auto found = std::ranges::find_if(words, [&](const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "-h" &&
           (word[1] == '-' || command.get_option_no_throw(word.substr(0, 2)) == nullptr) &&
           std::ranges::find(known, word.substr(0, word.find('='))) == known.end();
  });
  return found == words.end() ? "" : *found;
}

std::string fault_of_values(const CLI::App& command) {
  for (const options::Row& row : options::kTable) {
    const CLI::Option* option =
        row.option.name == nullptr ? nullptr : command.get_option_no_throw(row.option.name);
    if (option == nullptr || option->count() == 0 || row.option.bare != nullptr) {
      continue;
    }
    const std::string value = option->results().back();
    const std::string fault = fault_of(row.rule, value);
    if (!fault.empty()) {
      return fmt::format("{} {}: {}", row.option.name, value, fault);
    }
  }
  return {};
}

// Returns a message if an option lacks its value, or "".
std::string fault_of_no_value(const CLI::ParseError& error) {
  const std::string_view what = error.what();
  const std::string_view name = what.substr(0, what.find(':'));
  if (!name.starts_with("--") || !(what.ends_with(" missing") || what.ends_with(": no value"))) {
    return {};
  }
  for (const options::Row& row : options::kTable) {
    if (row.option.name != nullptr && name == row.option.name) {
      return fmt::format("{}: no value; expected {}", name, expected(row.rule).text);
    }
  }
  return fmt::format("{}: no value", name);
}

// If a value is not a number, the text says that a number was expected.
std::string text_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kNoNumber = "Could not convert: ";
  return text.starts_with(kNoNumber) ? text.substr(kNoNumber.size()) + ": expected a number" : text;
}

void say_no_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool is_whole = command.get_parent() == nullptr;
  const std::string whose = is_whole ? "" : command.get_name() + ": ";
  const std::string help =
      is_whole ? "nestbind --help" : "nestbind " + command.get_name() + " --help";
  say("{}there is no option {}{} ({} lists them)", whose, name,
      suggestion(name, options_of(command)), help);
}

// If the words that are too many belong to a specification, or are one, says how to write it.
bool is_other_specification(const CLI::App& command) {
  const CLI::Option* const taken = command.get_option_no_throw("SPEC");
  const std::vector<std::string> others = command.remaining();
  if (taken == nullptr || taken->count() == 0 || others.empty()) {
    return false;
  }
  const std::string first = taken->results().back();
  const std::string& name = command.get_name();
  spec::Spec unused;
  if (const std::string whole = specification_of_words(first, others); !whole.empty()) {
    say("{}: write the specification with commas, or in quotes: nestbind {} '{}'", name, name,
        whole);
    return true;
  }
  const CLI::Option* const pairs = command.get_option_no_throw("--communication");
  if (pairs != nullptr && pairs->count() == 0 && parse(others[0], unused).empty()) {
    say("{}: {} is not a specification; if it has the pairs of threads, write nestbind {} "
        "--communication {} {}",
        name, first, name, first, others[0]);
    return true;
  }
  return false;
}

}  // namespace

Arguments split(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string>& own = arguments.own;
  own.assign(argv + std::min(argc, 1), argv + argc);
  const bool is_run = !own.empty() && own[0] == "run";
  const bool takes_program = is_run || (!own.empty() && (own[0] == "tune" || own[0] == "memory"));
  const auto dashes = takes_program ? std::find(own.begin(), own.end(), "--") : own.end();
  if (dashes != own.end()) {
    arguments.program.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  const std::size_t words = is_run ? join_report(own) : own.size();
  const auto end = own.begin() + static_cast<std::ptrdiff_t>(words);
  const auto print_env = std::find_if(own.begin(), end, is_print_env);
  if (print_env != end) {
    arguments.on_failure = print_env->ends_with("=csh") ? "exit 1\n" : "false\n";
  }
  // Without "--" the words contain the program's own arguments.
  if (!is_run || !arguments.program.empty()) {
    std::transform(own.begin(), own.end(), own.begin(), shield);
  }
  return arguments;
}

void unshield(std::string& spec) { spec.erase(0, spec.starts_with(" -") ? 1 : 0); }

bool take_program(const CLI::App& command, const std::vector<std::string>& behind_dashes,
                  std::vector<std::string>& program) {
  program = command.remaining();
  if (!program.empty() && program[0].starts_with("-")) {
    say_no_option(command, program[0]);
    return false;
  }
  program.insert(program.end(), behind_dashes.begin(), behind_dashes.end());
  return true;
}

void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  const bool is_of_app = !words.empty() && words[0].starts_with('-');
  const CLI::App& asked = is_of_app ? app : command;
  const bool has_unknown = is_of_app || is(CLI::ExitCodes::ExtrasError);
  const std::string unknown = has_unknown ? unknown_option(asked, words) : "";
  if (!unknown.empty()) {
    say_no_option(asked, unknown);
    return;
  }
  if (is(CLI::ExitCodes::ExtrasError) && is_other_specification(command)) {
    return;
  }
  const std::string fault =
      is(CLI::ExitCodes::RequiredError) ? fault_of_values(command) : fault_of_no_value(error);
  const std::string name = chosen.empty() ? "" : command.get_name() + " ";
  say("{}; see nestbind {}--help", fault.empty() ? text_of(error) : fault, name);
}

bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known) {
  if (words.empty() || words[0].starts_with('-') ||
      std::ranges::find(known, words[0]) != known.end()) {
    return false;
  }
  say("there is no subcommand {}{} (nestbind --help lists them)", words[0],
      suggestion(words[0], known));
  return true;
}

}  // namespace nestbind::cli
