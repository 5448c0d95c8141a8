// SPDX-License-Identifier: BSD-3-Clause
#include "options/settings.hpp"

#include <stdlib.h>
#include <strings.h>

#include <array>
#include <initializer_list>

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

Display display_of(const char* value) {
  if (strcasecmp(value, "true") == 0) {
    return Display::kAlways;
  }
  for (const char* word : {"1", "t", "y", "yes", "on", "enabled", ".t.", ".true."}) {
    if (strcasecmp(value, word) == 0) {
      return Display::kLlvm;
    }
  }
  return Display::kNever;
}

}  // namespace

bool specification_is_set() {
  g_settings.text = secure_getenv(kSpecification);
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
    const char* value = secure_getenv(rule.name);
    if (value != nullptr && !take(rule, value, g_settings)) {
      faults.list[faults.count++] = {&rule, value};
    }
  }
  for (const char* name : kCompeting) {
    const char* value = secure_getenv(name);
    if (g_settings.competing == nullptr && value != nullptr && !says_none(value)) {
      g_settings.competing = name;
    }
  }
  if (const char* value = secure_getenv("OMP_DISPLAY_AFFINITY")) {
    g_settings.display = display_of(value);
  }
  return faults;
}

}  // namespace nestbind::options
