// SPDX-License-Identifier: BSD-3-Clause
// The variables that concern binding: nestbind's own, and what is wrong with their values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/table.hpp"

namespace nestbind::cli {

inline constexpr char kOwnPrefix[] = "NESTBIND_";

// What is wrong with a variable's value ("expected 0 or 1"); empty if nothing is. More than the
// library complains of: a sign that it does not know in the name of a file stands for itself there.
std::string fault_of(const options::Rule& rule, const std::string& value);

using Variables = std::vector<std::pair<std::string, std::string>>;

// Of this process.
Variables own_variables();

// What nestbind-instrument reads.
struct VariableOfTool {
  const char* name;
  const char* effect;
};
inline constexpr VariableOfTool kOfInstrument[] = {
    {"NESTBIND_OPARI", "the tool of nestbind-instrument; it changes no run"},
    {"NESTBIND_OPARI_RC", "OPARI 1's state file for nestbind-instrument; it changes no run"},
    {"NESTBIND_CC", "the C compiler of nestbind-instrument; it changes no run"},
};

// The names of all variables that nestbind reads.
std::vector<std::string> known_variables();

// Whether it is named as one of nestbind's, and is none; and the one of ours whose name is nearest,
// empty where none is near.
bool is_unknown(std::string_view name);
std::string suggested_variable(const std::string& name);

// Warns of each variable of this process that nobody reads and whose name is near to one that
// somebody does.
void warn_of_unknown_variables();

// The site's file: its defaults for variables of this process that are not set, and what it turns
// off. Called once, before variables are read.
void take_site();
// Whether that turns a feature off, with a message.
bool is_turned_off(options::Feature feature);

// OMP_TOOL=disabled, or what LLVM's and Intel's runtimes do not know: they start no tool.
bool tools_are_disabled();

}  // namespace nestbind::cli
