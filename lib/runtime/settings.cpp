// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/settings.hpp"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/message.hpp"

namespace nestbind::runtime {

namespace {

constinit Settings g_settings;

bool flag(const char* value, bool& out) {
  if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
    return false;
  }
  out = value[0] == '1';
  return true;
}

bool take_strict(const char* value) { return flag(value, g_settings.strict); }
bool take_quiet(const char* value) { return flag(value, g_settings.quiet); }

bool take_sizes(const char* value) {
  g_settings.sizes = strcmp(value, "set") == 0;
  return g_settings.sizes || strcmp(value, "ignore") == 0;
}

bool take_workers(const char* value) {
  g_settings.keep_workers = strcmp(value, "kept") == 0;
  return g_settings.keep_workers || strcmp(value, "fresh") == 0;
}

constexpr int kMostSmt = 1000;

bool take_smt(const char* value) {
  int number = 0;
  for (const char* c = value; *c != '\0'; ++c) {
    number = *c < '0' || *c > '9' ? kMostSmt + 1 : 10 * number + (*c - '0');
    if (number > kMostSmt) {
      return false;
    }
  }
  g_settings.smt = number;
  return number > 0;
}

bool take_cores(const char* value) {
  const char* const words[] = {"auto", "performance", "efficient", "all"};
  for (int i = 0; i < 4; ++i) {
    if (strcmp(value, words[i]) == 0) {
      g_settings.cores = i;
      return true;
    }
  }
  return false;
}

bool take_machine(const char* value) {
  g_settings.machine = value;
  return value[0] != '\0';
}

bool take_cache(const char* value) {
  g_settings.cache = value;
  return strcmp(value, "off") == 0 || value[0] == '/';
}

bool take_report(const char* value) {
  const char* colon = strchr(value, ':');
  const std::size_t length =
      colon == nullptr ? strlen(value) : static_cast<std::size_t>(colon - value);
  const auto is = [&](const char* word) {
    return strlen(word) == length && strncmp(value, word, length) == 0;
  };
  if (!is("text") && !is("json")) {
    return false;
  }
  if (colon != nullptr && colon[1] == '\0') {
    return false;
  }
  g_settings.report = is("text") ? ReportFormat::kText : ReportFormat::kJson;
  g_settings.report_file = colon == nullptr ? nullptr : colon + 1;
  return true;
}

bool take_runtime(const char* value) {
  g_settings.wants_llvm = strcmp(value, "llvm") == 0;
  return g_settings.wants_llvm;
}

struct Variable {
  const char* name;
  bool (*take)(const char* value);  // returns whether the value is good
  const char* expected;
};

constexpr Variable kVariables[] = {
    {"NESTBIND_QUIET", take_quiet, "0 or 1"},
    {"NESTBIND_STRICT", take_strict, "0 or 1"},
    {"NESTBIND_TEAM_SIZES", take_sizes, "set or ignore"},
    {"NESTBIND_WORKERS", take_workers, "kept or fresh"},
    {"NESTBIND_RUNTIME", take_runtime, "llvm"},
    {"NESTBIND_SMT", take_smt, "a number from 1 to 1000"},
    {"NESTBIND_CORES", take_cores, "auto, performance, efficient or all"},
    {"NESTBIND_MACHINE", take_machine, "an XML file or a synthetic description"},
    {"NESTBIND_CACHE", take_cache, "off, or the name of a folder, beginning with /"},
    {"NESTBIND_REPORT", take_report, "text or json, or one of them with :FILE behind it"},
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
    const Settings before = g_settings;
    if (!variable.take(value)) {
      g_settings = before;
      good = false;
      say(Severity::kError, "%s=%.200s: expected %s; it is ignored", variable.name, value,
          variable.expected);
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
