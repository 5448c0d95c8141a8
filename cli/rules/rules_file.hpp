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

// Returns what is wrong, and where; empty if nothing is wrong.
std::string fault_of_rules(const std::string& name, RulesFile& file);

std::string parse_rules(const std::string& name, RulesFile& file);

// Returns the modules that may fork. Sets `is_open` if the program may load more modules.
std::vector<RegionModule> region_modules(const std::string& program, const RulesFile& file,
                                         bool& is_open);

// Writes the rules with addresses to a file for the library. Returns the file's name.
std::optional<std::string> hand_over_rules(const RulesFile& file, const std::string& name,
                                           const std::string& program);

}  // namespace nestbind::cli
