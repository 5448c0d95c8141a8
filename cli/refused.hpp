// SPDX-License-Identifier: BSD-3-Clause
// What is said of words that the command does not take.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace nestbind::cli {

// Says that a subcommand has no such option, and which one may have been meant.
void say_no_option(const CLI::App& command, const std::string& word);

// The words of the program that a subcommand starts: what it has left of its own, and then those
// that stood behind "--". Returns false where they begin with an option, which is none of the
// subcommand's; says so.
bool take_program(const CLI::App& command, const std::vector<std::string>& behind_dashes,
                  std::vector<std::string>& program);

// Says why these words of the command line were not parsed.
void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error);

// Whether the first word is meant as a subcommand, and is none of the known ones; says so.
bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known);

}  // namespace nestbind::cli
