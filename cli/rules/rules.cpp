// SPDX-License-Identifier: BSD-3-Clause
// nestbind rules: lists a program's parallel regions, as a file of rules that a user completes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/say.hpp"
#include "cli/inspect/program.hpp"
#include "cli/inspect/text.hpp"
#include "cli/rules/rules_file.hpp"
#include "cli/subcommand.hpp"

namespace nestbind::cli {

namespace {

std::string function_of(const source::Outlined& region) {
  return inspect::join(parts_of_name(region.function), "::");
}

// Returns a line for each place, with all functions that have code there: a template may have many.
std::string lines_of(const RegionModule& module) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const source::Outlined& region : module.regions.outlined) {
    const std::string where = where_of(module, region);
    const std::string function = function_of(region);
    const auto known = std::ranges::find(places, where, &decltype(places)::value_type::first);
    if (known == places.end()) {
      places.emplace_back(where, function);
    } else if (known->second.find(function) == std::string::npos) {
      known->second += ", " + function;
    }
  }
  if (places.empty()) {
    places.emplace_back(name_in_rules(module.name) + ":*", "");
  }
  std::string text;
  for (const auto& [where, function] : places) {
    text += fmt::format("#{:<30} SPEC{}\n", printable(where),
                        function.empty() ? "" : "    # " + printable(function));
  }
  return text;
}

std::string missing_in(const source::Regions& regions) {
  return !regions.fault.empty() ? regions.fault
         : !regions.has_symbols ? "it is stripped, so one rule must be for all of its regions"
         : !regions.has_lines   ? "no source lines: compile with -g"
                                : "";
}

int rules_command(const std::string& program) {
  const auto path = inspect::find_program(program);
  if (!path) {
    say("{}: no such program{}", program, inspect::hint_of_missing(program));
    return kFailure;
  }
  bool is_open = false;
  const std::vector<RegionModule> modules = region_modules(*path, {}, is_open);
  if (modules.empty()) {
    say("{}: no parallel regions that rules can name; nestbind doctor shows the OpenMP runtime",
        program);
    return kFailure;
  }
  fmt::print(
      "# Parallel regions of {}. Remove a # to make a rule. The first rule that fits a region "
      "is used.\n# SPEC: a specification, auto or off. nestbind run --rules=FILE -- PROGRAM\n",
      printable(program));
  for (const RegionModule& module : modules) {
    const std::string missing = missing_in(module.regions);
    fmt::print("\n# {}{}\n{}", printable(module.name),
               missing.empty() ? "" : ": " + printable(missing), lines_of(module));
  }
  return written(kSuccess);
}

}  // namespace

void add_rules(CLI::App& app, Call& call) {
  const auto program = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("rules", "List a program's parallel regions, as rules to fill in");
  add_option(command, "PROGRAM", "", *program, "The program; its libraries are looked at, too")
      ->required();
  add_examples(command, {"nestbind rules ./program", "its regions, as a file of rules to fill in"},
               {"nestbind rules ./program | grep solve.c", "the regions of one file"});
  command.callback([&call, program] { call.status = rules_command(*program); });
}

}  // namespace nestbind::cli
