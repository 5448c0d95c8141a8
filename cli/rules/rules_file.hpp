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

// Reads the file. Returns what is wrong and where; empty if nothing is wrong.
std::string fault_of_rules(const std::string& name, RulesFile& file);

// As fault_of_rules, if the text is in `file` already.
std::string parse_rules(const std::string& name, RulesFile& file);

// The program and its libraries that fork through an OpenMP runtime, and each file that a rule
// names. is_open: the program may load more libraries. lines: whether the rules need line tables.
std::vector<RegionModule> region_modules(const std::string& program, const RulesFile& file,
                                         bool& is_open);

// Writes a file of rules with addresses, for the programs that this process becomes or starts.
// Returns the file's name. Warns of rules that match no region. Not set, after a message: a fault.
std::optional<std::string> hand_over_rules(const RulesFile& file, const std::string& name,
                                           const std::string& program);

}  // namespace nestbind::cli
