// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/settings.hpp"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/message.hpp"
#include "variables/rules.hpp"

namespace nestbind::runtime {

namespace {

constinit Settings g_settings;

bool is(const char* value, const char* word) { return strcmp(value, word) == 0; }

// Each takes a good value.
void take_quiet(const char* value) { g_settings.quiet = is(value, "1"); }
void take_strict(const char* value) { g_settings.strict = is(value, "1"); }
void take_sizes(const char* value) { g_settings.sizes = is(value, "set"); }
void take_workers(const char* value) { g_settings.keep_workers = is(value, "kept"); }
void take_runtime(const char* value) { g_settings.wants_llvm = is(value, "llvm"); }
void take_smt(const char* value) { g_settings.smt = atoi(value); }
void take_machine(const char* value) { g_settings.machine = value; }
void take_cache(const char* value) { g_settings.cache = value; }

void take_cores(const char* value) {
  const char* const words[] = {"auto", "performance", "efficient", "all"};
  for (int i = 0; i < 4; ++i) {
    if (is(value, words[i])) {
      g_settings.cores = i;
    }
  }
}

void take_report(const char* value) {
  const char* colon = strchr(value, ':');
  g_settings.report = value[0] == 't' ? ReportFormat::kText : ReportFormat::kJson;
  g_settings.report_file = colon == nullptr ? nullptr : colon + 1;
}

struct Variable {
  const char* name;
  void (*take)(const char* value);
};

constexpr Variable kVariables[] = {
    {"NESTBIND_QUIET", take_quiet},      {"NESTBIND_STRICT", take_strict},
    {"NESTBIND_TEAM_SIZES", take_sizes}, {"NESTBIND_WORKERS", take_workers},
    {"NESTBIND_RUNTIME", take_runtime},  {"NESTBIND_SMT", take_smt},
    {"NESTBIND_CORES", take_cores},      {"NESTBIND_MACHINE", take_machine},
    {"NESTBIND_CACHE", take_cache},      {"NESTBIND_REPORT", take_report},
};

// Values by which a user says that the OpenMP runtime shall not bind.
bool says_none(const char* value) {
  return strcasecmp(value, "false") == 0 || strcasecmp(value, "none") == 0 ||
         strcasecmp(value, "disabled") == 0;
}

constexpr const char* kCompeting[] = {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY",
                                      "GOMP_CPU_AFFINITY"};

}  // namespace

const Settings& settings() { return g_settings; }

bool specification_is_set() {
  g_settings.text = secure_getenv("OMP_NESTING_TEAM_SIZE");
  return g_settings.text != nullptr;
}

bool read_settings() {
  static bool read = false;
  static bool good = true;
  if (read) {
    return good;
  }
  read = true;
  for (const Variable& variable : kVariables) {
    const char* value = secure_getenv(variable.name);
    if (value == nullptr) {
      continue;
    }
    const variables::Rule* rule = variables::rule_of(variable.name);
    if (rule->is_good(value)) {
      variable.take(value);
    } else {
      good = false;
      say(Severity::kError, "%s=%.200s: expected %s; it is ignored", variable.name, value,
          rule->expected);
    }
  }
  for (const char* name : kCompeting) {
    const char* value = secure_getenv(name);
    if (g_settings.competing == nullptr && value != nullptr && !says_none(value)) {
      g_settings.competing = name;
    }
  }
  return good;
}

}  // namespace nestbind::runtime
