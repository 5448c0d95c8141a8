// SPDX-License-Identifier: BSD-3-Clause
#include "variables/rules.hpp"

#include <string.h>

namespace nestbind::variables {

namespace {

bool is(const char* value, const char* word) { return strcmp(value, word) == 0; }

bool is_flag(const char* value) { return is(value, "0") || is(value, "1"); }
bool is_sizes(const char* value) { return is(value, "set") || is(value, "ignore"); }
bool is_workers(const char* value) { return is(value, "kept") || is(value, "fresh"); }
bool is_runtime(const char* value) { return is(value, "llvm"); }
bool is_machine(const char* value) { return value[0] != '\0'; }
bool is_cache(const char* value) { return is(value, "off") || value[0] == '/'; }

bool is_cores(const char* value) {
  return is(value, "auto") || is(value, "performance") || is(value, "efficient") ||
         is(value, "all");
}

bool is_smt(const char* value) {
  constexpr int kMost = 1000;
  int number = 0;
  for (const char* c = value; *c != '\0' && number <= kMost; ++c) {
    number = *c < '0' || *c > '9' ? kMost + 1 : 10 * number + (*c - '0');
  }
  return number >= 1 && number <= kMost;
}

bool is_report(const char* value) {
  constexpr int kFormat = 4;  // letters of text and json
  return (strncmp(value, "text", kFormat) == 0 || strncmp(value, "json", kFormat) == 0) &&
         (value[kFormat] == '\0' || (value[kFormat] == ':' && value[kFormat + 1] != '\0'));
}

constexpr Rule kRules[] = {
    {"NESTBIND_CACHE", is_cache, "off, or the name of a folder, beginning with /"},
    {"NESTBIND_CORES", is_cores, "auto, performance, efficient or all"},
    {"NESTBIND_MACHINE", is_machine, "an XML file or a synthetic description"},
    {"NESTBIND_QUIET", is_flag, "0 or 1"},
    {"NESTBIND_REPORT", is_report, "text or json, or one of them with :FILE behind it"},
    {"NESTBIND_RUNTIME", is_runtime, "llvm"},
    {"NESTBIND_SMT", is_smt, "a number from 1 to 1000"},
    {"NESTBIND_STRICT", is_flag, "0 or 1"},
    {"NESTBIND_TEAM_SIZES", is_sizes, "set or ignore"},
    {"NESTBIND_WORKERS", is_workers, "kept or fresh"},
};

}  // namespace

const Rule* rule_of(const char* name) {
  for (const Rule& rule : kRules) {
    if (is(rule.name, name)) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace nestbind::variables
