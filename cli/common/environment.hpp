// SPDX-License-Identifier: BSD-3-Clause
// nestbind's own variables, other variables that concern binding, and wrong values of variables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/table.hpp"

namespace nestbind::cli {

inline constexpr char kOwnPrefix[] = "NESTBIND_";

// Returns what is wrong with a variable's value ("expected 0 or 1"); empty if nothing is wrong.
// Also refuses unknown "%" sequences in names of files. The library keeps these sequences.
std::string fault_of(const options::Rule& rule, const std::string& value);
// The same for the name of a file in which %h, %p and %r are replaced (support/file_name.hpp).
std::string fault_of_file_name(const std::string& name);
std::string expanded_file_name(const std::string& name);

using Variables = std::vector<std::pair<std::string, std::string>>;

Variables own_variables();

struct VariableOfTool {
  const char* name;
  const char* effect;
};
inline constexpr VariableOfTool kOfInstrument[] = {
    {"NESTBIND_OPARI", "the tool of nestbind-instrument; no effect on runs"},
    {"NESTBIND_OPARI_RC", "OPARI 1's state file for nestbind-instrument; no effect on runs"},
    {"NESTBIND_CC", "the C compiler of nestbind-instrument; no effect on runs"},
};

std::vector<std::string> known_variables();

bool is_unknown(std::string_view name);
std::string suggested_variable(const std::string& name);

void warn_of_unknown_variables();

// Takes defaults from the site's file, and notes which features the file turns off. Call it first.
void take_site();
// Writes a message if the site's file turns the feature off.
bool is_turned_off(options::Feature feature);

bool tools_are_disabled();

}  // namespace nestbind::cli
