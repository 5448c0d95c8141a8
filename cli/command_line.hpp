// SPDX-License-Identifier: BSD-3-Clause
// Makes the command line ready for CLI11, and says why words are refused.
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
  // For run, tune and memory: all words after "--", also if they look like options.
  std::vector<std::string> program;
  // The shell's eval reads the output. If the command fails, it prints this. csh's eval forgets the
  // status of its command.
  const char* on_failure = nullptr;
};

Arguments split(int argc, char** argv);

void unshield(std::string& spec);

// Sets the words of the program to start: first the words that the subcommand has not used, then
// the words after "--". If the first word is an unknown option, says so and returns false.
bool take_program(const CLI::App& command, const std::vector<std::string>& behind_dashes,
                  std::vector<std::string>& program);

void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error);

// Whether the first word is a misspelt or unknown name of a subcommand. If so, writes a message.
bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known);

}  // namespace nestbind::cli
