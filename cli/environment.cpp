// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/specification.hpp"
#include "variables/rules.hpp"

namespace nestbind::cli {

namespace {

struct OtherVariable {
  const char* name;
  const char* effect;
};

constexpr char kSpecificationWins[] = "binds too; the specification wins";
constexpr char kSizesWin[] = "the specification's sizes win, unless NESTBIND_TEAM_SIZES=ignore";
constexpr char kSmallerTeams[] = "teams may be smaller than specified; those that fork are placed";

constexpr OtherVariable kOthers[] = {
    {"OMP_PROC_BIND", kSpecificationWins},
    {"OMP_PLACES", kSpecificationWins},
    {"KMP_AFFINITY", kSpecificationWins},
    {"GOMP_CPU_AFFINITY", kSpecificationWins},
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
  const char* text = std::getenv("OMP_NESTING_TEAM_SIZE");
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

const variables::Rule* rule_for(std::string_view name) {
  return variables::rule_of(std::string(name).c_str());
}

void examine_own(Findings& findings, std::string_view name, const std::string& value) {
  const std::string setting = std::string(name) + "=" + value;
  const std::string fault = fault_of(name, value);
  if (!fault.empty()) {
    findings.problem(setting + ": " + fault);
  } else if (name == "NESTBIND_MACHINE") {
    findings.problem(setting + ": a dry run, nothing is bound");
  } else {
    const bool is_known = rule_for(name) != nullptr;
    findings.fact("environment", setting + (is_known ? "" : ": nestbind has no such variable"));
  }
}

}  // namespace

std::string fault_of(std::string_view name, std::string_view value) {
  const variables::Rule* rule = rule_for(name);
  return rule == nullptr || rule->is_good(std::string(value).c_str())
             ? ""
             : std::string("expected ") + rule->expected;
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
  for (const OtherVariable& other : kOthers) {
    const char* value = std::getenv(other.name);
    if (value != nullptr && *value != '\0') {
      findings.fact("environment", std::string(other.name) + "=" + value + ": " + other.effect);
    }
  }
}

bool tools_are_disabled() {
  const char* tool = std::getenv("OMP_TOOL");
  return tool != nullptr && std::string_view(tool) == "disabled";
}

}  // namespace nestbind::cli
