// SPDX-License-Identifier: BSD-3-Clause
// Rules for single regions, with the addresses of the regions. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/source/source_lines.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::cli {

struct NumberedRule {
  rules::Rule rule;  // its texts are parts of the file's text, so the file's text must not move
  int line = 0;
};

// A program or library that may fork teams.
struct RegionModule {
  std::string name;  // without a folder
  source::Regions regions;
};

struct ResolvedRules {
  std::string text;  // the text for the library: addresses, libraries and *
  // For each rule that matches no region: the line in the file, and the message.
  std::vector<std::pair<int, std::string>> unmatched;
};

// Finds the rules' addresses. is_open: the program may load libraries that are not in `modules`.
ResolvedRules resolve(const std::vector<NumberedRule>& rules,
                      const std::vector<RegionModule>& modules, bool is_open);

// Returns a file's name as in a rule, with '?' for characters that would end the name.
std::string name_in_rules(std::string file);

// Returns the name of a region in a rule.
std::string where_of(const RegionModule& module, const source::Outlined& region);

// Whether the rule can be used only with debug information or symbols.
bool needs_code(const rules::Where& where);

// Whether a rule's name for a file means this file of a line table.
bool is_file(const std::string& path, std::string_view name);

}  // namespace nestbind::cli
