// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/common/environment.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

namespace {

std::string in_one_line(std::string text) {
  for (char& c : text) {
    c = c == '\n' || c == '\t' ? ' ' : c;
  }
  return text;
}

// Returns the words that an option may have; empty if other values are allowed, too.
std::vector<std::string> words_of(CLI::Option& option) {
  bool is_checked = true;
  try {
    const std::string name = option.get_validator(0)->get_name();
    if (name.starts_with(kWordsMark)) {
      return CLI::detail::split(name.substr(sizeof kWordsMark - 1), ',');
    }
  } catch (const CLI::OptionNotFound&) {
    is_checked = false;
  }
  // More text may follow such a word, for example "llvm:FILE".
  static constexpr struct {
    const char* option;
    const char* words;
  } kFirstWords[] = {{"--schedule", "native,hybrid,balanced"}, {"--runtime", "native,llvm"}};
  for (const auto& [name, words] : kFirstWords) {
    if (option.check_name(name)) {
      return CLI::detail::split(words, ',');
    }
  }
  std::vector<std::string> found;
  for (const options::Row& row : options::kTable) {
    const bool has_words = is_checked || row.rule.others != nullptr;
    const bool is_it =
        has_words && row.option.name != nullptr && option.check_name(row.option.name);
    for (const char* const* word = row.rule.words; is_it && *word != nullptr; ++word) {
      found.emplace_back(*word);
    }
  }
  return found;
}

std::vector<std::string> shown_names(const CLI::Option& option) {
  return option.get_group().empty() ? std::vector<std::string>() : option.get_lnames();
}

std::string words_of_command(CLI::App& command) {
  std::string text =
      fmt::format("command\t{}\t{}\n", command.get_name(), in_one_line(command.get_description()));
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      text += fmt::format("argument\t{}\t{}\n", command.get_name(), option->get_name(true, false));
    }
    for (const std::string& name : shown_names(*option)) {
      const bool has_value = option->get_expected_max() > 0 && option->get_type_size() > 0;
      const std::string words = fmt::format("{}", fmt::join(words_of(*option), ","));
      text += fmt::format("option\t{}\t--{}\t{}\t{}\t{}\n", command.get_name(), name,
                          has_value ? option->get_type_name() : "-", words.empty() ? "-" : words,
                          in_one_line(option->get_description()));
    }
  }
  return text;
}

}  // namespace

std::string list_of_words(CLI::App& app) {
  std::string text;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    text += words_of_command(*command);
  }
  for (int kind = 0; kind < spec::kKinds; ++kind) {
    const auto number = static_cast<spec::Kind>(kind);
    text += spec::may_be_size(number) ? fmt::format("size\t{}\n", spec::name(number)) : "";
    text += spec::may_be_domain(number) ? fmt::format("domain\t{}\n", spec::name(number)) : "";
  }
  for (int strategy = 0; strategy < spec::kStrategies; ++strategy) {
    text += fmt::format("strategy\t{}\n", spec::name(static_cast<spec::Strategy>(strategy)));
  }
  for (const std::string& name : known_variables()) {
    text += fmt::format("variable\t{}\n", name);
  }
  return text;
}

}  // namespace nestbind::cli
