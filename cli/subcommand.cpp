// SPDX-License-Identifier: BSD-3-Clause
#include "cli/subcommand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include "cli/common/environment.hpp"
#include "cli/common/printable.hpp"
#include "cli/subcommand.hpp"
#include "options/table.hpp"
#include "show/texts.hpp"
#include "spec/spec.hpp"

namespace nestbind::cli {

namespace {

constexpr int kColumns = 80;

constexpr char kSpecification[] =
    "SPEC: SIZE,STRATEGY[@OBJECT] for each level, outermost first; nestbind-spec(7)\n"
    "  SIZE      a number; package, numa, l3, l2, core or pu: a thread for each;\n"
    "            *: as many as the program forks\n"
    "  STRATEGY  scatter: far apart; compact: close together; subscatter, subcompact:\n"
    "            the same, near the thread that forks the team\n"
    "  OBJECT    board, package, numa, l3 or l2: the team stays inside this object;\n"
    "            only with subscatter and subcompact\n"
    "auto in place of SPEC: binds all teams of the program, each close together\n\n";

class HelpFormat : public CLI::Formatter {
 public:
  explicit HelpFormat(std::vector<std::string> usages) : usages_(std::move(usages)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (usages_.empty()) {
      return CLI::Formatter::make_usage(app, name);
    }
    std::string text;
    for (const std::string& usage : usages_) {
      text += fmt::format("{}{} {}\n", text.empty() ? "Usage: " : "       ", name, usage);
    }
    return text;
  }

  // Removes CLI11's "{VALUE}" from a name. An option that stands alone has this value.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const std::size_t brace = name.find('{');
    if (brace != std::string::npos && name.ends_with('}')) {
      const bool is_switch = name.substr(brace) == "{1}";
      name = name.substr(0, brace) + (is_switch ? "" : "[=...]");
    }
    return name;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return beside_names(CLI::Formatter::make_option_desc(option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream text;
    CLI::detail::format_help(text, command->get_name(), beside_names(command->get_description()),
                             get_column_width());
    return text.str();
  }

 private:
  std::string beside_names(std::string text) const {
    return show::wrapped(std::move(text), kColumns - static_cast<int>(get_column_width()));
  }

  std::vector<std::string> usages_;
};

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
  } kFirstWords[] = {{"--schedule", "native,hybrid,balanced"},
                     {"--runtime", "native,llvm"},
                     {"--memory-policy", "local,interleave,bind:,prefer:"},
                     {"--network", "none,slurm,torus:,mesh:,tree:,dragonfly:"},
                     {"--write", "slurm:,openmpi:,mpich:,intel:,cray:"}};
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
      const std::string words = fmt::format("{}", fmt::join(words_of(*option), "|"));
      text += fmt::format("option\t{}\t--{}\t{}\t{}\t{}\n", command.get_name(), name,
                          has_value ? option->get_type_name() : "-", words.empty() ? "-" : words,
                          in_one_line(option->get_description()));
    }
  }
  return text;
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto fault = [words](const std::string& word) {
    const bool is_one = std::ranges::find(words, word) != words.end();
    return is_one ? ""
                  : fmt::format("{} is none of {}{}", printable(word), fmt::join(words, ", "),
                                suggestion(word, words));
  };
  return {fault, "", fmt::format("{}{}", kWordsMark, fmt::join(words, ","))};
}

CLI::Validator not_empty(const char* fault) {
  return {[fault](const std::string& text) { return text.empty() ? fault : ""; }, ""};
}

std::shared_ptr<CLI::FormatterBase> help_format(std::vector<std::string> usages) {
  return std::make_shared<HelpFormat>(std::move(usages));
}

void add_examples(CLI::App& command, const Example& first, const Example& second) {
  std::string text = command.get_option_no_throw("SPEC") == nullptr ? "" : kSpecification;
  text += "Examples:\n";
  for (const Example& example : {first, second}) {
    text += fmt::format("  {}\n      {}\n", example.line, example.does);
  }
  command.footer(text);
}

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
