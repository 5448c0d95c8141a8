// SPDX-License-Identifier: BSD-3-Clause
#include "cli/refused.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/nearest.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// The first word that looks like an option and is none.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words) {
  const std::vector<std::string> known = options_of(command);
  const auto found = std::ranges::find_if(words, [&](const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "-h" &&
           std::ranges::find(known, word.substr(0, word.find('='))) == known.end();
  });
  return found == words.end() ? "" : *found;
}

// Where an option has taken a word that is none of its values: what it expects. The word may have
// been meant as the specification.
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

// Where an option stands without the value that it needs: that, and what it may be.
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

// CLI11's text; of a value that is no number, what was expected.
std::string text_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kNoNumber = "Could not convert: ";
  return text.starts_with(kNoNumber) ? text.substr(kNoNumber.size()) + ": expected a number" : text;
}

}  // namespace

void say_no_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool is_whole = command.get_parent() == nullptr;
  const std::string whose = is_whole ? "" : command.get_name() + ": ";
  const std::string help =
      is_whole ? "nestbind --help" : "nestbind " + command.get_name() + " --help";
  say("{}there is no option {}{} ({} lists them)", whose, name,
      suggestion(name, options_of(command)), help);
}

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
  const std::string fault =
      is(CLI::ExitCodes::RequiredError) ? fault_of_values(command) : fault_of_no_value(error);
  const std::string name = chosen.empty() ? "" : command.get_name() + " ";
  say("{}; nestbind {}--help tells more", fault.empty() ? text_of(error) : fault, name);
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
