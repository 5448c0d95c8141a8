// SPDX-License-Identifier: BSD-3-Clause
#include "options/settings.hpp"

#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <initializer_list>

#include "options/site_file.hpp"
#include "options/table.hpp"

namespace nestbind::options {

constinit Settings g_settings;

namespace {

constexpr auto kRules = [] {
  std::array<Rule, kVariables> rules{};
  for (unsigned i = 0; i < kVariables; ++i) {
    rules[i] = kTable[i].rule;
  }
  return rules;
}();

// Copies a value, because the program may change it.
const char* copy_of(const char* value, char (&memory)[kMostThreadsText + 1]) {
  const size_t length = value == nullptr ? sizeof memory : strlen(value);
  return length > kMostThreadsText ? nullptr
                                   : static_cast<const char*>(memcpy(memory, value, length + 1));
}

// Returns a copy that is never freed, because the program may overwrite its environment. Uses mmap,
// because the program's allocator may not be ready.
const char* kept(const char* value) {
  if (value == nullptr) {
    return nullptr;
  }
  const size_t size = strlen(value) + 1;
  static constinit char* s_room = nullptr;
  static constinit size_t s_left = 0;
  if (size > s_left) {
    constexpr size_t kUsual = 4096;
    const size_t mapped = size > kUsual ? size : kUsual;
    void* const made =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) {
      return value;
    }
    s_room = static_cast<char*>(made);
    s_left = mapped;
  }
  char* const copy = s_room;
  s_room += size;
  s_left -= size;
  return static_cast<const char*>(memcpy(copy, value, size));
}

using Values = std::array<const char*, kVariables>;

// Reads the environment only once, to be fast.
Values values_of_rules() {
  constexpr char kCommon[] = "NESTBIND_";
  constexpr std::size_t kLength = sizeof kCommon - 1;
  Values values{};
  const bool is_secure = getauxval(AT_SECURE) != 0;
  for (char** entry = environ; entry != nullptr && *entry != nullptr && !is_secure; ++entry) {
    if (strncmp(*entry, kCommon, kLength) != 0) {
      continue;
    }
    for (unsigned i = 0; i < kVariables; ++i) {
      const char* name = kRules[i].name + kLength;
      const char* given = *entry + kLength;
      for (; *name != '\0' && *name == *given; ++name, ++given) {
      }
      if (*name == '\0' && *given == '=' && values[i] == nullptr) {
        values[i] = given + 1;
      }
    }
  }
  for (const char*& value : values) {
    value = value != nullptr && value[0] != '\0' ? value : nullptr;
  }
  return values;
}

void take_site(Values& values) {
  static SiteText text;
  if (getauxval(AT_SECURE) != 0 || read_site_file(text) != nullptr) {
    return;
  }
  each_site_line(text, [&](int, const SiteLine& line) {
    if (line.fault == nullptr && line.variable >= 0 && values[line.variable] == nullptr) {
      values[line.variable] = line.value;
    }
    g_settings.off |= line.feature >= 0 ? 1U << line.feature : 0;
  });
}

// Returns the first variable to report.
const char* leave_what_is_off(Values& values) {
  constexpr struct {
    Feature feature;
    Variable variable;
    const char* instead;
    bool is_told;
  } kOff[] = {{kWorkersOff, kWorkers, "fresh", false},
              {kRanksOff, kRanks, "shared", false},
              {kSchedulesOff, kSchedule, nullptr, true},
              {kMemoryOff, kMemory, nullptr, true},
              {kEverythingOff, kRegionRules, nullptr, true}};
  const bool has_text = is_off(kEverythingOff) && g_settings.text != nullptr;
  const char* refused = has_text ? kSpecification : nullptr;
  g_settings.text = has_text ? nullptr : g_settings.text;
  for (const auto& [feature, variable, instead, is_told] : kOff) {
    if (is_off(feature)) {
      const bool is_first = is_told && refused == nullptr && values[variable] != nullptr;
      refused = is_first ? kRules[variable].name : refused;
      values[variable] = instead;
    }
  }
  return refused;
}

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
  static char threads[kMostThreadsText + 1];
  g_settings.threads = copy_of(variable(kThreads), threads);
  g_settings.text = kept(variable(kSpecification));
  return g_settings.text != nullptr;
}

bool schedule_is_set() { return variable(kRules[kSchedule].name) != nullptr; }

int read_balance() {
  const Rule& rule = kRules[kBalanceAcross];
  const char* const value = variable(rule.name);
  Settings read;
  return value != nullptr && take(rule, value, read) ? read.balance_every : 0;
}

bool memory_is_set() { return variable(kRules[kMemory].name) != nullptr; }
bool rules_are_set() { return variable(kRules[kRegionRules].name) != nullptr; }

Faults read() {
  static bool is_read = false;
  Faults faults;
  if (is_read) {
    return faults;
  }
  is_read = true;
  Values values = values_of_rules();
  for (const char*& value : values) {
    value = kept(value);
  }
  take_site(values);
  faults.refused = leave_what_is_off(values);
  for (unsigned i = 0; i < kVariables; ++i) {
    if (values[i] != nullptr && !take(kRules[i], values[i], g_settings)) {
      faults.list[faults.count++] = {&kRules[i], values[i]};
    }
  }
  for (const char* name : kCompeting) {
    const char* value = variable(name);
    if (g_settings.competing == nullptr && value != nullptr && !says_none(value)) {
      g_settings.competing = name;
    }
  }
  if (const char* value = variable("OMP_DISPLAY_AFFINITY")) {
    g_settings.display = display_of(value);
  }
  look_for_later_threads();
  return faults;
}

bool look_for_later_threads() {
  static char threads[kMostThreadsText + 1];
  if (g_settings.later_threads != nullptr || !threads_are_set_later()) {
    return false;
  }
  g_settings.later_threads = copy_of(variable(kThreads), threads);
  g_settings.sizes = g_settings.sizes && g_settings.later_threads == nullptr;
  return g_settings.later_threads != nullptr;
}

}  // namespace nestbind::options
