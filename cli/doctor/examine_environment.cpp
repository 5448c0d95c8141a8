// SPDX-License-Identifier: BSD-3-Clause
// Examines a process's variables: nestbind's own, and those of other tools that bind threads.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "cli/common/environment.hpp"
#include "cli/common/preload.hpp"
#include "cli/common/specification.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/inspect/text.hpp"
#include "options/said_sizes.hpp"
#include "options/site_file.hpp"
#include "options/table.hpp"
#include "show/texts.hpp"
#include "support/preload_list.hpp"

namespace nestbind::cli {

namespace {

constexpr char kSizesWin[] = "a specification's sizes win, unless NESTBIND_TEAM_SIZES=ignore";
constexpr char kNoSizes[] = "the specification has no sizes, so this variable has effect";
constexpr char kSmallerTeams[] =
    "teams may be smaller than specified; their threads are still placed";

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
    {"KMP_HOT_TEAMS_MAX_LEVEL",
     "LLVM's and Intel's runtimes keep the threads of teams down to this level"},
    {"KMP_HOT_TEAMS_MODE",
     "says what LLVM's and Intel's runtimes do with the threads of kept teams"},
    {"OMP_TOOL", "\"disabled\" keeps LLVM's and Intel's runtimes from starting any tool"},
    {"OMP_TOOL_LIBRARIES", "another tool; it gets its events after nestbind"},
    {"LD_PRELOAD",
     "nestbind run adds its library: after sanitizers, but before all other libraries"},
};

constexpr char kIgnored[] =
    "nestbind run refuses this value; a program with the library ignores it, and the runtime "
    "schedules the loops";
constexpr char kPlainOrder[] =
    "a process with the library uses the plain order; nestbind run refuses it";
constexpr char kStops[] = "with NESTBIND_STRICT=1 the process stops";

bool examine_specification(const Variables& variables, Findings& findings) {
  const std::string text = value_of(variables, options::kSpecification);
  if (text.empty()) {
    return false;
  }
  spec::Spec spec;
  const std::string fault = parse(text, spec);
  if (fault.empty()) {
    findings.fact("specification", "OMP_NESTING_TEAM_SIZE=" + show::canonical(spec) +
                                       (spec.is_off() ? ": nothing is bound" : ""));
  } else {
    findings.printable_problem("OMP_NESTING_TEAM_SIZE, " + fault);
  }
  return fault.empty() && spec.active_levels() == 0;
}

// True if nestbind has set the variable to the specification's sizes (options/said_sizes.hpp).
bool is_said(const Variables& variables, std::string_view name, const std::string& value) {
  std::string said = value_of(variables, options::kRunName);
  said.erase(0, said.find(';') + 1);
  const std::string levels = said.substr(said.find(';') + 1);
  return (name == options::kThreads && said.starts_with(value + ";")) ||
         (name == "OMP_MAX_ACTIVE_LEVELS" && levels.starts_with(value + ";"));
}

void examine_other(const Variables& variables, const char* name, const char* effect,
                   Findings& findings) {
  const std::string value = value_of(variables, name);
  if (is_said(variables, name, value)) {
    return;
  }
  const auto is_ours = [](const std::string& file) {
    return inspect::file_name(file).starts_with(kLibraryFile);
  };
  const bool is_own_preload =
      name == std::string("LD_PRELOAD") &&
      std::ranges::all_of(inspect::split(value, support::kPreloadSeparators), is_ours);
  if (!value.empty() && !is_own_preload) {
    findings.fact("environment", std::string(name) + "=" + value + ": " + effect);
  }
}

void examine_unknown(Findings& findings, const std::string& name, const std::string& setting) {
  const auto tool =
      std::ranges::find_if(kOfInstrument, [&](const auto& one) { return name == one.name; });
  const std::string meant = suggested_variable(name);
  findings.fact(
      "environment",
      setting + (tool != std::end(kOfInstrument) ? std::string(": ") + tool->effect
                 : meant.empty()                 ? ": nestbind has no such variable"
                                 : ": nestbind has no such variable; did you mean " + meant + "?"));
}

// An empty variable counts as not set.
void examine_own(Findings& findings, const std::string& name, const std::string& value,
                 bool is_strict) {
  const std::string setting = name + "=" + value;
  const auto row = std::ranges::find_if(
      options::kTable, [&](const options::Row& one) { return name == one.rule.name; });
  if (value.empty()) {
    return;
  }
  if (row == std::end(options::kTable)) {
    examine_unknown(findings, name, setting);
  } else if (row == &options::kTable[options::kMachine]) {
    findings.problem(setting + ": a dry run, nothing is bound");
  } else if (const std::string fault = fault_of(row->rule, value); fault.empty()) {
    findings.fact("environment", setting);
  } else if (row == &options::kTable[options::kOrder]) {
    findings.printable_ignored("order", row->rule.name,
                               printable(setting) + ": " + fault + "\n" + kPlainOrder);
  } else if (row == &options::kTable[options::kMemory]) {
    findings.printable_problem(printable(setting) + ": " + fault);
  } else if (row != &options::kTable[options::kSchedule]) {
    findings.problem(setting + ": " + fault);
  } else if (is_strict) {
    findings.printable_problem(printable(setting) + ": " + fault + "\n" + kStops);
  } else {
    findings.printable_ignored("loops", row->rule.name,
                               printable(setting) + ": " + fault + "\n" + kIgnored);
  }
}

void examine_site_line(int number, const options::SiteLine& line, Findings& findings) {
  const std::string where =
      std::string(options::site_file()) + ", line " + std::to_string(number) + ": ";
  if (line.fault != nullptr) {
    findings.fact("site", where + line.fault + "; the line is ignored");
  } else if (line.variable >= 0) {
    findings.fact("site", where + "by default " + options::kTable[line.variable].rule.name + "=" +
                              line.value);
  } else if (line.feature == options::kEverythingOff) {
    findings.problem(where + "everything is turned off for everybody");
  } else if (line.feature >= 0) {
    findings.fact("site",
                  where + "turned off for everybody: " + options::kFeatureNames[line.feature]);
  }
}

void examine_site(Findings& findings) {
  options::SiteText text;
  if (const char* const fault = options::read_site_file(text)) {
    findings.fact("site", std::string(options::site_file()) + " is ignored: " + fault);
  }
  options::each_site_line(text, [&](int number, const options::SiteLine& line) {
    examine_site_line(number, line, findings);
  });
}

}  // namespace

std::string value_of(const Variables& variables, const std::string& name) {
  const auto found =
      std::ranges::find(variables, name, &std::pair<std::string, std::string>::first);
  return found == variables.end() ? "" : found->second;
}

void examine_environment(const Variables& variables, Findings& findings) {
  const bool has_no_sizes = examine_specification(variables, findings);
  examine_site(findings);
  options::Settings settings;
  const options::Rule& strict = options::kTable[options::kStrict].rule;
  take(strict, value_of(variables, strict.name).c_str(), settings);
  for (const auto& [name, value] : variables) {
    if (name.starts_with(kOwnPrefix) || is_unknown(name)) {
      examine_own(findings, name, value, settings.strict);
    }
  }
  for (const char* name : options::kCompeting) {
    examine_other(variables, name, "binds too; the specification wins", findings);
  }
  for (const auto& [name, effect] : kOthers) {
    examine_other(variables, name, effect == kSizesWin && has_no_sizes ? kNoSizes : effect,
                  findings);
  }
}

}  // namespace nestbind::cli
