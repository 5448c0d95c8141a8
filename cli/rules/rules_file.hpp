// SPDX-License-Identifier: BSD-3-Clause
// A file of rules for single regions, and the code that they are for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/rules/resolved_rules.hpp"

namespace nestbind::cli {

struct RulesFile {
  std::string text;
  std::vector<NumberedRule> rules;
};

// What is wrong with a file, and where; empty of a good one.
std::string fault_of_rules(const std::string& name, RulesFile& file);

// The same of the text that it has already.
std::string parse_rules(const std::string& name, RulesFile& file);

// The program, and those of its libraries that fork by an OpenMP runtime; also what a rule names
// besides, if there is such a file. is_open: it may load others. lines: whether rules need them.
std::vector<RegionModule> region_modules(const std::string& program, const RulesFile& file,
                                         bool& is_open);

// Finds what the rules of a file are for, and hands that over to the programs that this process
// becomes or starts: returns the name of the file that they read. program: its file; empty: not
// known. Warns of rules that match nothing; says what is wrong, and returns none.
std::optional<std::string> hand_over_rules(const RulesFile& file, const std::string& name,
                                           const std::string& program);

}  // namespace nestbind::cli
