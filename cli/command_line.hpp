// SPDX-License-Identifier: BSD-3-Clause
// The words of the command line: as CLI11 is given them, and what is said of those that are not
// taken.
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
  // What stands after "--" of run, tune and memory, whatever it looks like.
  std::vector<std::string> program;
  bool prints = false;  // the output is for a shell's eval
};

// Without the name of the command itself.
Arguments split(int argc, char** argv);

// The specification as it was given: split() puts a blank before one that looks like an
// option.
void unshield(std::string& spec);

// The words of the program that a subcommand starts: what it has left of its own, and then those
// that stood after "--". Returns false where they begin with an option, which is none of the
// subcommand's; says so.
bool take_program(const CLI::App& command, const std::vector<std::string>& behind_dashes,
                  std::vector<std::string>& program);

// Says why these words of the command line were not parsed.
void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error);

// Whether the first word is meant as a subcommand, and is none of the known ones; says so.
bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known);

}  // namespace nestbind::cli
