// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "cli/environment.hpp"
#include "cli/message.hpp"
#include "cli/nearest.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

// Before the words that an option may have, in the name of what checks them.
constexpr char kWordsMark[] = "words:";

constexpr char kMachineNames[] = "--machine,--topology";

// A variable of the shell's may have been meant to fill it in.
std::string fault_of_empty(const std::string& value) { return value.empty() ? "no value" : ""; }

std::string fault_of_no_processors(const std::string& list) {
  return list.empty() ? "no processors" : "";
}

}  // namespace

void add_variable_option(CLI::App& command, int variable, std::string& value) {
  const options::Option& option = options::kTable[variable].option;
  const std::string name = variable == options::kMachine ? kMachineNames : option.name;
  if (option.bare != nullptr) {
    command.add_flag(name + "{" + option.bare + "}", value, option.help);
  } else {
    command.add_option(name, value, option.help)->check(fault_of_empty)->type_name(option.value);
  }
}

void add_words(CLI::App& command, const char* name, std::string& value,
               const std::vector<std::string>& words, const char* help, const char* type) {
  const auto fault = [words](const std::string& word) {
    const bool is_one = std::ranges::find(words, word) != words.end();
    return is_one ? ""
                  : fmt::format("{} is none of {}{}", printable(word), fmt::join(words, ", "),
                                suggestion(word, words));
  };
  command.add_option(name, value, help)
      ->type_name(type)
      ->check(fault, "", fmt::format("{}{}", kWordsMark, fmt::join(words, ",")));
}

std::vector<std::string> words_of(CLI::Option& option) {
  try {
    const std::string name = option.get_validator(0)->get_name();
    if (name.starts_with(kWordsMark)) {
      return CLI::detail::split(name.substr(sizeof kWordsMark - 1), ',');
    }
  } catch (const CLI::OptionNotFound&) {  // it is not checked
    return {};
  }
  std::vector<std::string> found;
  for (const options::Row& row : options::kTable) {
    const bool is_it = row.option.name != nullptr && option.check_name(row.option.name);
    for (const char* const* word = row.rule.words; is_it && *word != nullptr; ++word) {
      found.emplace_back(*word);
    }
  }
  return found;
}

void add_cpus(CLI::App& command, std::string& cpus, const char* help) {
  command.add_option("--cpus", cpus, help)->check(fault_of_no_processors)->type_name("LIST");
}

void add_library(CLI::App& command, std::string& library) {
  command.add_option("--library", library, "libnestbind.so to preload")
      ->check(fault_of_empty)
      ->type_name("PATH");
}

void add_machine_options(CLI::App& command, MachineOptions& options) {
  command
      .add_option(kMachineNames, options.machine,
                  "hwloc XML file, or synthetic description; by default NESTBIND_MACHINE, or this "
                  "machine")
      ->check(fault_of_empty)
      ->type_name("XML-FILE|SYNTHETIC");
  add_cpus(command, options.cpus,
           "Processors that may be used, such as 0-3,8; by default this process's, or all of "
           "the machine that is named");
  add_variable_option(command, options::kSmt, options.smt);
  add_variable_option(command, options::kCores, options.cores);
  add_variable_option(command, options::kDistances, options.distances);
}

bool complete(MachineOptions& options) {
  return complete(options::kSmt, options.smt) && complete(options::kCores, options.cores) &&
         complete(options::kMachine, options.machine) &&
         complete(options::kDistances, options.distances);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool complete(int number, std::string& value) {
  const auto& [rule, unset, option] = options::kTable[number];
  const bool is_option = !value.empty();
  value = is_option ? value : variable(rule.name);
  const std::string fault = value.empty() ? "" : fault_of(rule, value);
  if (!fault.empty() &&
      (number == options::kSchedule || number == options::kMemory)) {  // of several lines
    say_printable((is_option ? std::string(option.name) : rule.name) + ": " + fault);
  } else if (!fault.empty()) {
    say("{}{}: {}", is_option ? std::string(option.name) + " " : std::string(rule.name) + "=",
        value, fault);
  }
  return fault.empty();
}

}  // namespace nestbind::cli
