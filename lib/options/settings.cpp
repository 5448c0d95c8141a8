// SPDX-License-Identifier: BSD-3-Clause
#include "options/settings.hpp"

#include <stdlib.h>
#include <strings.h>

#include <array>

#include "options/table.hpp"

namespace nestbind::options {

constinit Settings g_settings;

namespace {

// Without what only the command needs of the table.
constexpr auto kRules = [] {
  std::array<Rule, kVariables> rules{};
  for (unsigned i = 0; i < kVariables; ++i) {
    rules[i] = kTable[i].rule;
  }
  return rules;
}();

// Values by which a user says that the OpenMP runtime shall not bind.
bool says_none(const char* value) {
  return strcasecmp(value, "false") == 0 || strcasecmp(value, "none") == 0 ||
         strcasecmp(value, "disabled") == 0;
}

}  // namespace

const char* variable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

bool specification_is_set() {
  g_settings.text = variable(kSpecification);
  return g_settings.text != nullptr;
}

Faults read() {
  static bool is_read = false;
  Faults faults;
  if (is_read) {
    return faults;
  }
  is_read = true;
  for (const Rule& rule : kRules) {
    const char* value = variable(rule.name);
    if (value != nullptr && !take(rule, value, g_settings)) {
      faults.list[faults.count++] = {&rule, value};
    }
  }
  for (const char* name : kCompeting) {
    const char* value = variable(name);
    if (g_settings.competing == nullptr && value != nullptr && !says_none(value)) {
      g_settings.competing = name;
    }
  }
  return faults;
}

}  // namespace nestbind::options
