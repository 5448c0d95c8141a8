// SPDX-License-Identifier: BSD-3-Clause
// The subcommands, each in its own file, and additions to CLI11 2.1.2 (included only here).
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace nestbind::cli {

struct Call {
  std::vector<std::string> behind_dashes;
  std::string output;  // file of --output (replaces the standard output); empty without --output
  int status = 0;
};

// `call` must outlive `app`.
void add_rules(CLI::App& app, Call& call);
void add_run(CLI::App& app, Call& call);
void add_plan(CLI::App& app, Call& call);
void add_explain(CLI::App& app, Call& call);
void add_suggest(CLI::App& app, Call& call);
void add_topology(CLI::App& app, Call& call);
void add_doctor(CLI::App& app, Call& call);
void add_trace(CLI::App& app, Call& call);
void add_top(CLI::App& app, Call& call);
void add_tune(CLI::App& app, Call& call);
void add_memory(CLI::App& app, Call& call);
void add_map(CLI::App& app, Call& call);
void add_balance(CLI::App& app, Call& call);
void add_probe(CLI::App& app, Call& call);
void add_lines(CLI::App& app, Call& call);
void add_job(CLI::App& app, Call& call);

// The name of a one_of() validator is this text, followed by the words.
inline constexpr char kWordsMark[] = "words:";

// one_of() suggests the nearest word. not_empty() refuses an empty text, for example from an unset
// shell variable. within() also refuses nan.
CLI::Validator one_of(const std::vector<std::string>& words);
CLI::Validator not_empty(const char* fault = "no value");
template <typename Number>
CLI::Validator within(Number least, Number most) {
  const auto fault = [least, most](const std::string& text) {
    Number value{};
    const bool is_in = CLI::detail::lexical_cast(text, value) && least <= value && value <= most;
    return is_in ? "" : fmt::format("Value {} not in range {} to {}", text, least, most);
  };
  return {fault, ""};
}

// `kind` is the kind of the value in the help; "" for an argument.
template <typename Value>
CLI::Option* add_option(CLI::App& command, const char* name, const char* kind, Value& value,
                        const char* help) {
  return command.add_option(name, value, help)->type_name(kind);
}

// The help has at most 80 columns, if the options allow it. `usages` replace CLI11's usage line.
std::shared_ptr<CLI::FormatterBase> help_format(std::vector<std::string> usages = {});

struct Example {
  const char* line;
  const char* does;
};
// Adds two examples at the end of the help. If the command has SPEC, explains SPEC first.
void add_examples(CLI::App& command, const Example& first, const Example& second);

// The output of `nestbind --list-words`: the words that a user can type. Tabs separate the fields,
// and "|" the values of an option. A line has one of these forms:
//
//   command NAME WHAT-IT-DOES
//   argument COMMAND NAME
//   option COMMAND --NAME KIND WORDS WHAT-IT-DOES
//   size WORD
//   strategy WORD
//   domain WORD
//   variable NAME
//
// KIND is the kind of the option's value. Commas separate the possible values in WORDS. A missing
// KIND is "-". Missing WORDS are "-", too.
std::string list_of_words(CLI::App& app);

}  // namespace nestbind::cli
