// SPDX-License-Identifier: BSD-3-Clause
// Reads a file of rules for single regions, and finds the regions' code.
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

// Reads the file. Returns what is wrong and where; empty if the file is good.
std::string fault_of_rules(const std::string& name, RulesFile& file);

// The same, for text that is in `file` already.
std::string parse_rules(const std::string& name, RulesFile& file);

// The program and those of its libraries that fork through an OpenMP runtime; also each file that a
// rule names. is_open: the program may load others. lines: whether the rules need line tables.
std::vector<RegionModule> region_modules(const std::string& program, const RulesFile& file,
                                         bool& is_open);

// Writes the rules' code to a file for the programs that this process becomes or starts; returns
// its name. Warns of rules that match nothing. Says what is wrong, and returns none.
std::optional<std::string> hand_over_rules(const RulesFile& file, const std::string& name,
                                           const std::string& program);

}  // namespace nestbind::cli
