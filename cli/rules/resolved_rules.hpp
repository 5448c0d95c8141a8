// SPDX-License-Identifier: BSD-3-Clause
// Rules for single regions, with the addresses of the code that they are for. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/source/source_lines.hpp"
#include "rules/region_rules.hpp"

namespace nestbind::cli {

struct NumberedRule {
  rules::Rule rule;  // its texts are parts of the file's, which stays where it is
  int line = 0;
};

// A program, or a library of its, that may fork.
struct RegionModule {
  std::string name;  // without a folder
  source::Regions regions;
};

struct ResolvedRules {
  std::string text;  // what the library reads: addresses, libraries and *
  // Of rules that match nothing: the line in the file, and what is to be said of it.
  std::vector<std::pair<int, std::string>> unmatched;
};

// is_open: the program may load further libraries, which cannot be looked at.
ResolvedRules resolve(const std::vector<NumberedRule>& rules,
                      const std::vector<RegionModule>& modules, bool is_open);

// How a rule names a program or a library: with '?' for what would end a name there.
std::string name_in_rules(std::string file);

// How a rule names a region.
std::string where_of(const RegionModule& module, const source::Outlined& region);

// Whether only debug information or symbols can tell what a rule is for.
bool needs_code(const rules::Where& where);

// Whether a file of a line table is what a rule calls so.
bool is_file(const std::string& path, std::string_view name);

}  // namespace nestbind::cli
