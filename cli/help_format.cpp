// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help_format.hpp"

#include <cstddef>

namespace nestbind::cli {

namespace {

constexpr std::size_t kColumns = 80;

// Broken at blanks; a word that is longer stays whole.
std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines;
  std::size_t in_line = 0;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    const bool is_new = in_line == 0 || in_line + 1 + word.size() > columns;
    lines += lines.empty() ? "" : is_new ? "\n" : " ";
    lines += word;
    in_line = (is_new ? 0 : in_line + 1) + word.size();
  }
  return lines;
}

}  // namespace

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  const std::size_t brace = name.find('{');
  if (brace != std::string::npos && name.ends_with('}')) {
    const bool is_switch = name.substr(brace) == "{1}";
    name = name.substr(0, brace) + (is_switch ? "" : "[=...]");
  }
  return name;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option), kColumns - get_column_width());
}

}  // namespace nestbind::cli
