// SPDX-License-Identifier: BSD-3-Clause
#include "cli/subcommand.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/help_format.hpp"
#include "cli/message.hpp"
#include "cli/nearest.hpp"

namespace nestbind::cli {

namespace {

// Without a description, which the help would put behind the name of the value.
template <typename Number>
CLI::Validator within(const Range& range) {
  const auto least = static_cast<Number>(range.least);
  const auto most = static_cast<Number>(range.most);
  return {[least, most](const std::string& text) {
            Number value{};
            const bool is_in =
                CLI::detail::lexical_cast(text, value) && least <= value && value <= most;
            return is_in ? "" : fmt::format("Value {} not in range {} to {}", text, least, most);
          },
          ""};
}

// CLI11 takes it for a number that is not given.
std::string fault_of_empty(const std::string& text) { return text.empty() ? "no value" : ""; }

}  // namespace

Subcommand::Subcommand(CLI::App& app, const char* name, const char* does)
    : app_(app.add_subcommand(name, does)) {}

void Subcommand::argument(const char* name, std::string& value, const std::string& help) const {
  app_->add_option(name, value, help)->type_name("");
}

void Subcommand::arguments(const char* name, std::vector<std::string>& values,
                           const std::string& help) const {
  app_->add_option(name, values, help)->type_name("");
}

void Subcommand::arguments(const char* name, std::vector<int>& values, Range range,
                           const std::string& help) const {
  app_->add_option(name, values, help)->check(within<int>(range))->type_name("");
}

void Subcommand::option(const char* name, std::string& value, const char* type,
                        const std::string& help, const char* if_empty) const {
  CLI::Option* option = app_->add_option(name, value, help)->type_name(type);
  if (if_empty != nullptr) {
    option->check([if_empty](const std::string& text) { return text.empty() ? if_empty : ""; });
  }
}

void Subcommand::option(const char* name, std::optional<std::string>& value, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->type_name(type);
}

void Subcommand::option(const char* name, double& value, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->type_name(type)->check(fault_of_empty);
}

void Subcommand::option(const char* name, std::optional<double>& value, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->type_name(type)->check(fault_of_empty);
}

void Subcommand::option(const char* name, std::uint64_t& value, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->type_name(type)->check(fault_of_empty);
}

void Subcommand::option(const char* name, int& value, Range range, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->check(within<int>(range))->type_name(type);
}

void Subcommand::option(const char* name, double& value, Range range, const char* type,
                        const std::string& help) const {
  app_->add_option(name, value, help)->check(within<double>(range))->type_name(type);
}

void Subcommand::option_with_bare(const char* name, const char* bare, std::string& value,
                                  const std::string& help) const {
  app_->add_flag(fmt::format("{}{{{}}}", name, bare), value, help);
}

void Subcommand::option_of_words(const char* name, std::string& value,
                                 const std::vector<std::string>& words, const char* type,
                                 const std::string& help) const {
  const auto fault = [words](const std::string& word) {
    const bool is_one = std::ranges::find(words, word) != words.end();
    return is_one ? ""
                  : fmt::format("{} is none of {}{}", printable(word), fmt::join(words, ", "),
                                suggestion(word, words));
  };
  app_->add_option(name, value, help)
      ->type_name(type)
      ->check(fault, "", fmt::format("{}{}", kWordsMark, fmt::join(words, ",")));
}

void Subcommand::flag(const char* name, bool& value, const std::string& help) const {
  app_->add_flag(name, value, help);
}

void Subcommand::require(const char* name) const { app_->get_option(name)->required(); }

void Subcommand::exclude(const char* name, const char* other) const {
  app_->get_option(name)->excludes(app_->get_option(other));
}

void Subcommand::usages(std::vector<std::string> usages) const {
  app_->formatter(help_format(std::move(usages)));
}

void Subcommand::take_program() const { app_->prefix_command(); }

void Subcommand::take_last() const {
  app_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Subcommand::examples(const Example& first, const Example& second) const {
  app_->footer(text_of_examples(first, second, app_->get_option_no_throw("SPEC") != nullptr));
}

void Subcommand::does(const std::function<void()>& action) const { app_->callback(action); }

bool Subcommand::has(const char* name) const { return app_->get_option(name)->count() > 0; }

void Subcommand::refuse_without(const char* name, const char* hint) {
  throw CLI::RequiredError(fmt::format("{} is required ({})", name, hint),
                           CLI::ExitCodes::RequiredError);
}

}  // namespace nestbind::cli
