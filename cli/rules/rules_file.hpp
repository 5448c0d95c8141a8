// SPDX-License-Identifier: BSD-3-Clause
// Reads a file of rules for single regions, and finds the regions' code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/source/source_lines.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::cli {

struct NumberedRule {
  rules::Rule rule;  // refers to the file's text, which must not move
  int line = 0;
};

struct RegionModule {
  std::string name;
  source::Regions regions;
};

struct ResolvedRules {
  std::string text;
  // A line number and a message for each rule that matches no region.
  std::vector<std::pair<int, std::string>> unmatched;
};

// `is_open` is true if the program may load libraries that are not in `modules`.
ResolvedRules resolve(const std::vector<NumberedRule>& rules,
                      const std::vector<RegionModule>& modules, bool is_open);

std::string name_in_rules(std::string file);

std::string where_of(const RegionModule& module, const source::Outlined& region);

// True if `name` is the whole path or its last parts.
bool is_file(const std::string& path, std::string_view name);

// The names that a user may write for the function of a region.

// Returns "space" and "fill" for "void space::fill<int>(int)", and "fluid" and "solve" for a
// Fortran compiler's symbol such as "__fluid_MOD_solve". Leaves out lambdas at the end.
std::vector<std::string> parts_of_name(const std::string& demangled);

// True if a user may write `name` for the function of a region. "fill" and "space::fill" are names
// of "void space::fill<int>(int)". `symbol` is a name, too. In a name of Fortran, case does not
// matter, and "fluid%solve" means "fluid::solve".
bool is_meant_by(const std::string& name, const std::string& demangled, const std::string& symbol,
                 bool is_fortran);

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
