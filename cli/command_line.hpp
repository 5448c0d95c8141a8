// SPDX-License-Identifier: BSD-3-Clause
// The command line in the form that CLI11 needs, and the message for words that are refused.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace nestbind::cli {

struct Arguments {
  std::vector<std::string> own;
  // All words after "--" of run, tune and memory, also words like options.
  std::vector<std::string> program;
  bool prints = false;  // the output is for a shell's eval
};

// Splits the command line. The name of the command itself is left out.
Arguments split(int argc, char** argv);

// Removes the blank that split() puts before a specification that looks like an option.
void unshield(std::string& spec);

// Sets the words of the program that a subcommand starts: the words that it has not used, then the
// words after "--". If they begin with an unknown option, says so and returns false.
bool take_program(const CLI::App& command, const std::vector<std::string>& behind_dashes,
                  std::vector<std::string>& program);

// Says why these words of the command line were refused.
void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error);

// Whether the first word is meant as a subcommand, but is none of the known ones. Says so.
bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known);

}  // namespace nestbind::cli
