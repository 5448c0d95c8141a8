// SPDX-License-Identifier: BSD-3-Clause
// The subcommands: each describes its words to CLI11, and does what it is for, in a file of its
// name; and what they need beside CLI11 2.1.2, whose header is included here only.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace nestbind::cli {

// One use of the command.
struct Call {
  std::vector<std::string> behind_dashes;  // what stands after "--" of run, tune and memory
  std::string output;  // the file of --output, in place of the standard output; empty: none
  int status = 0;      // the exit status, filled by the subcommand that ran
};

// Each adds its subcommand to the command; parsing its words does what it is for, and fills the
// status. `call` outlives the command.
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

// Before the words that an option may have, in the name of what checks them.
inline constexpr char kWordsMark[] = "words:";

// Checks of values; none adds to what the help calls them. one_of: another word is refused with the
// nearest of these. not_empty: CLI11 takes an empty text for a number that is not given, and a
// variable of the shell's may have been meant to fill it in. within: CLI::Range takes a nan.
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

// How the help looks: no wider than a terminal of 80 columns, as far as options go. usages: the
// ways to call a command, after its name, where its options do not tell them.
std::shared_ptr<CLI::FormatterBase> help_format(std::vector<std::string> usages = {});

// A line as it is typed, and what it does.
struct Example {
  const char* line;
  const char* does;
};
// Below the help: two of these, and before them what a specification is where the command has SPEC.
void add_examples(CLI::App& command, const Example& first, const Example& second);

// What there is to type (nestbind --list-words), for completion/ and for the test that compares the
// lists. A line for each word, its parts between tabulators; the subcommands are those of the app:
//   command NAME WHAT-IT-DOES
//   argument COMMAND NAME              what stands without an option: SPEC, PROGRAM, SHAPE, FILE...
//   option COMMAND --NAME VALUE WORDS WHAT-IT-DOES     VALUE: what its value is, "-" for none;
//                                      WORDS: the values that there are, with commas, or "-"
//   size WORD, strategy WORD, domain WORD              of a specification
//   variable NAME
std::string list_of_words(CLI::App& app);

}  // namespace nestbind::cli
