// SPDX-License-Identifier: BSD-3-Clause
#include "cli/subcommand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include "cli/common/nearest_word.hpp"
#include "cli/common/printable.hpp"
#include "show/texts.hpp"

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

}  // namespace nestbind::cli
