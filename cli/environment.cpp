// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "cli/inspect/text.hpp"
#include "cli/specification.hpp"
#include "show/canonical.hpp"

namespace nestbind::cli {

namespace {

constexpr char kSizesWin[] = "the specification's sizes win, unless NESTBIND_TEAM_SIZES=ignore";
constexpr char kSmallerTeams[] = "teams may be smaller than specified; those that fork are placed";

constexpr struct {
  const char* name;
  const char* effect;
} kOthers[] = {
    {"KMP_HW_SUBSET",
     "LLVM's and Intel's runtimes use a part of the machine; the specification wins"},
    {"OMP_NUM_THREADS", kSizesWin},
    {"OMP_NESTED", kSizesWin},
    {"OMP_MAX_ACTIVE_LEVELS", kSizesWin},
    {"OMP_DYNAMIC", kSmallerTeams},
    {"OMP_THREAD_LIMIT", kSmallerTeams},
    {"KMP_HOT_TEAMS_MAX_LEVEL", "LLVM's and Intel's runtimes keep teams down to this level"},
    {"KMP_HOT_TEAMS_MODE",
     "says what LLVM's and Intel's runtimes do with the threads of kept teams"},
    {"OMP_TOOL", "\"disabled\" keeps LLVM's and Intel's runtimes from starting any tool"},
    {"OMP_TOOL_LIBRARIES", "another tool; it gets its events behind nestbind"},
    {"LD_PRELOAD", "nestbind run puts the library before these, behind sanitizers"},
};

void examine_specification(Findings& findings) {
  const std::string text = inspect::variable(options::kSpecification);
  if (text.empty()) {
    return;
  }
  spec::Spec spec;
  const std::string fault = parse(text, spec);
  if (fault.empty()) {
    findings.fact("specification", "OMP_NESTING_TEAM_SIZE=" + show::canonical(spec) +
                                       (spec.is_off() ? ": nothing is bound" : ""));
  } else {
    findings.printable_problem("OMP_NESTING_TEAM_SIZE, " + fault);
  }
}

void examine_other(Findings& findings, const char* name, const char* effect) {
  const std::string value = inspect::variable(name);
  if (!value.empty()) {
    findings.fact("environment", std::string(name) + "=" + value + ": " + effect);
  }
}

void examine_own(Findings& findings, std::string_view name, const std::string& value) {
  const std::string setting = std::string(name) + "=" + value;
  const auto row = std::ranges::find_if(
      options::kTable, [&](const options::Row& one) { return name == one.rule.name; });
  if (row == std::end(options::kTable)) {
    findings.fact("environment", setting + ": nestbind has no such variable");
  } else if (const std::string fault = fault_of(row->rule, value); !fault.empty()) {
    findings.problem(setting + ": " + fault);
  } else if (row == &options::kTable[options::kMachine]) {
    findings.problem(setting + ": a dry run, nothing is bound");
  } else {
    findings.fact("environment", setting);
  }
}

}  // namespace

std::string fault_of(const options::Rule& rule, const std::string& value) {
  options::Settings unused;
  return take(rule, value.c_str(), unused) ? "" : std::string("expected ") + expected(rule).text;
}

void examine_environment(Findings& findings) {
  examine_specification(findings);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto equals = variable.find('=');
    if (variable.starts_with("NESTBIND_") && equals != std::string_view::npos) {
      examine_own(findings, variable.substr(0, equals), std::string(variable.substr(equals + 1)));
    }
  }
  for (const char* name : options::kCompeting) {
    examine_other(findings, name, "binds too; the specification wins");
  }
  for (const auto& [name, effect] : kOthers) {
    examine_other(findings, name, effect);
  }
}

bool tools_are_disabled() { return inspect::variable("OMP_TOOL") == "disabled"; }

}  // namespace nestbind::cli
