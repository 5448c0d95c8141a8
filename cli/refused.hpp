// SPDX-License-Identifier: BSD-3-Clause
// What is said of words that the command does not take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace nestbind::cli {

// Says that a subcommand has no such option, and which one may have been meant.
void say_no_option(const CLI::App& command, const std::string& word);

// Says why these words of the command line were not parsed.
void say_refused(const CLI::App& app, const std::vector<std::string>& words,
                 const CLI::ParseError& error);

// Whether the first word is meant as a subcommand, and is none of the known ones; says so.
bool is_misspelt(const std::vector<std::string>& words, const std::vector<std::string>& known);

}  // namespace nestbind::cli
