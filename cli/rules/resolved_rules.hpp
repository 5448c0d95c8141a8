// SPDX-License-Identifier: BSD-3-Clause
// Rules for single regions, with the addresses of the regions' code. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/source/source_lines.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::cli {

struct NumberedRule {
  rules::Rule rule;  // its texts are parts of the file's text, which must not move
  int line = 0;
};

// A program or library that may fork teams.
struct RegionModule {
  std::string name;  // without a folder
  source::Regions regions;
};

struct ResolvedRules {
  std::string text;  // for the library: addresses, libraries and *
  // For rules that match nothing: the line in the file, and the message.
  std::vector<std::pair<int, std::string>> unmatched;
};

// is_open: the program may load further libraries, which are not known here.
ResolvedRules resolve(const std::vector<NumberedRule>& rules,
                      const std::vector<RegionModule>& modules, bool is_open);

// The name of a program or library in a rule: '?' replaces characters that would end the name.
std::string name_in_rules(std::string file);

// The name of a region in a rule.
std::string where_of(const RegionModule& module, const source::Outlined& region);

// Whether the rule needs debug information or symbols.
bool needs_code(const rules::Where& where);

// Whether a rule's file name means this file of a line table.
bool is_file(const std::string& path, std::string_view name);

}  // namespace nestbind::cli
