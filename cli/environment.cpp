// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "cli/specification.hpp"

namespace nestbind::cli {

namespace {

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), value) != words.end();
}

bool is_flag(std::string_view value) { return is_one_of(value, {"0", "1"}); }
bool is_sizes(std::string_view value) { return is_one_of(value, {"set", "ignore"}); }
bool is_workers(std::string_view value) { return is_one_of(value, {"kept", "fresh"}); }
bool is_cores(std::string_view value) {
  return is_one_of(value, {"auto", "performance", "efficient", "all"});
}
bool is_smt(std::string_view value) {
  int number = 0;
  const auto [stop, error] = std::from_chars(value.begin(), value.end(), number);
  return error == std::errc{} && stop == value.end() && number >= 1 && number <= 1000;
}
bool is_something(std::string_view value) { return !value.empty(); }
bool is_runtime(std::string_view value) { return value == "llvm"; }
bool is_cache(std::string_view value) { return value == "off" || value.starts_with('/'); }
bool is_report(std::string_view value) {
  const auto colon = value.find(':');
  return is_one_of(value.substr(0, colon), {"text", "json"}) && colon + 1 != value.size();
}

struct OwnVariable {
  const char* name;
  bool (*is_good)(std::string_view value);
  const char* expected;
};

// As lib/runtime/settings.cpp takes them.
constexpr OwnVariable kOwn[] = {
    {"NESTBIND_CACHE", is_cache, "off, or the name of a folder, beginning with /"},
    {"NESTBIND_CORES", is_cores, "auto, performance, efficient or all"},
    {"NESTBIND_MACHINE", is_something, "an XML file or a synthetic description"},
    {"NESTBIND_QUIET", is_flag, "0 or 1"},
    {"NESTBIND_REPORT", is_report, "text or json, or one of them with :FILE behind it"},
    {"NESTBIND_RUNTIME", is_runtime, "llvm"},
    {"NESTBIND_SMT", is_smt, "a number from 1 to 1000"},
    {"NESTBIND_STRICT", is_flag, "0 or 1"},
    {"NESTBIND_TEAM_SIZES", is_sizes, "set or ignore"},
    {"NESTBIND_WORKERS", is_workers, "kept or fresh"},
};

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

const OwnVariable* find_own(std::string_view name) {
  const auto known = std::find_if(std::begin(kOwn), std::end(kOwn),
                                  [&](const OwnVariable& own) { return name == own.name; });
  return known == std::end(kOwn) ? nullptr : known;
}

void examine_own(Findings& findings, std::string_view name, const std::string& value) {
  const std::string setting = std::string(name) + "=" + value;
  const std::string fault = fault_of(name, value);
  if (!fault.empty()) {
    findings.problem(setting + ": " + fault);
  } else {
    const bool is_known = find_own(name) != nullptr;
    findings.fact("environment", setting + (is_known ? "" : ": nestbind has no such variable"));
  }
}

}  // namespace

std::string fault_of(std::string_view name, std::string_view value) {
  const OwnVariable* own = find_own(name);
  return own == nullptr || own->is_good(value) ? "" : std::string("expected ") + own->expected;
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
