// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/specification.hpp"

namespace nestbind::cli {

namespace {

struct OtherVariable {
  const char* name;
  const char* effect;
};

constexpr char kSizesWin[] = "the specification's sizes win, unless NESTBIND_TEAM_SIZES=ignore";
constexpr char kSmallerTeams[] = "teams may be smaller than specified; those that fork are placed";

constexpr OtherVariable kOthers[] = {
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
  const char* text = std::getenv(options::kSpecification);
  if (text == nullptr) {
    return;
  }
  spec::Spec spec;
  spec::Fault fault;
  if (spec::parse(text, spec, fault)) {
    findings.fact("specification", "OMP_NESTING_TEAM_SIZE=" + canonical(spec));
    return;
  }
  char message[1024];
  const std::size_t length = spec::describe(text, fault, message, sizeof message);
  findings.problem("OMP_NESTING_TEAM_SIZE, " + std::string(message, length));
}

// Null where nestbind has no variable of this name.
const options::Rule* rule_of(std::string_view name) {
  for (const options::Row& row : options::kTable) {
    if (name == row.rule.name) {
      return &row.rule;
    }
  }
  return nullptr;
}

void examine_other(Findings& findings, const char* name, const char* effect) {
  const char* value = std::getenv(name);
  if (value != nullptr && *value != '\0') {
    findings.fact("environment", std::string(name) + "=" + value + ": " + effect);
  }
}

void examine_own(Findings& findings, std::string_view name, const std::string& value) {
  const std::string setting = std::string(name) + "=" + value;
  const options::Rule* rule = rule_of(name);
  const std::string fault = rule == nullptr ? "" : fault_of(*rule, value);
  if (!fault.empty()) {
    findings.problem(setting + ": " + fault);
  } else if (rule == &options::kTable[options::kMachine].rule) {
    findings.problem(setting + ": a dry run, nothing is bound");
  } else {
    findings.fact("environment",
                  setting + (rule != nullptr ? "" : ": nestbind has no such variable"));
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
  for (const OtherVariable& other : kOthers) {
    examine_other(findings, other.name, other.effect);
  }
}

bool tools_are_disabled() {
  const char* tool = std::getenv("OMP_TOOL");
  return tool != nullptr && std::string_view(tool) == "disabled";
}

}  // namespace nestbind::cli
