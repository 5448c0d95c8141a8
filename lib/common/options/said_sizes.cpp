// SPDX-License-Identifier: BSD-3-Clause
#include "options/said_sizes.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "options/said_sizes.hpp"

namespace nestbind::options {

namespace {

constexpr int kRoom = sizeof UsersValue::room;

enum Field {
  kName,
  kThreadsSaid,
  kLevelsSaid,
  kThreadsBefore,
  kLevelsBefore,
  kNestedBefore,
  kFields
};
constexpr const char* kVariablesOf[] = {"OMP_NUM_THREADS", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED"};
constexpr int kSaid = 2;  // nestbind says the first two of them

struct Text {
  char field[kFields][kRoom] = {};
  bool is_good = false;

  Text() {
    const char* rest = variable(kRunName);
    int count = 0;
    for (; rest != nullptr && count < kFields; ++count) {
      const char* const end = strchr(rest, ';');
      const size_t length = end == nullptr ? strlen(rest) : static_cast<size_t>(end - rest);
      if (length >= kRoom) {
        return;
      }
      memcpy(field[count], rest, length);
      rest = end == nullptr ? nullptr : end + 1;
    }
    is_good = count == kFields && rest == nullptr;
  }
};

bool is_same(const char* value, const char* field) {
  return strcmp(value == nullptr ? "" : value, field) == 0;
}

bool is_said(const Text& text, int number) {
  const char* const said = text.field[kThreadsSaid + number];
  return text.is_good && said[0] != '\0' && is_same(variable(kVariablesOf[number]), said);
}

void put(const char* name, const char* value) {
  if (value[0] == '\0') {
    unsetenv(name);
  } else {
    setenv(name, value, 1);
  }
}

}  // namespace

void take_back_sizes() {
  const Text text;
  for (int i = 0; i < kSaid; ++i) {
    if (is_said(text, i)) {
      put(kVariablesOf[i], text.field[kThreadsBefore + i]);
    }
  }
  if (text.is_good && text.field[kLevelsSaid][0] != '\0' &&
      variable(kVariablesOf[kSaid]) == nullptr) {
    put(kVariablesOf[kSaid], text.field[kNestedBefore]);
  }
}

void say_sizes(int threads, int levels, bool is_run) {
  const Text earlier;
  take_back_sizes();
  char before[kSaid + 1][kRoom] = {};
  for (int i = 0; i <= kSaid; ++i) {
    const char* const value = variable(kVariablesOf[i]);
    if (value != nullptr && strlen(value) >= kRoom) {
      unsetenv(kRunName);
      return;
    }
    if (value != nullptr) {
      memcpy(before[i], value, strlen(value) + 1);
    }
  }
  char name[kRoom] = "";
  if (earlier.is_good && earlier.field[kName][0] != '\0') {
    memcpy(name, earlier.field[kName], sizeof name);
  } else if (is_run) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "%d.%ld%06ld", static_cast<int>(getpid()),
             static_cast<long>(now.tv_sec), now.tv_nsec / 1000);
  }
  const bool says = strchr(before[0], ',') == nullptr;
  char said[kSaid][16] = {};
  for (int i = 0; i < kSaid; ++i) {
    const int size = i == 0 ? threads : levels;
    if (says && size > 0) {
      snprintf(said[i], sizeof said[i], "%d", size);
      setenv(kVariablesOf[i], said[i], 1);
    }
  }
  if (said[1][0] != '\0') {
    unsetenv(kVariablesOf[kSaid]);  // the runtimes warn if both are set
  }
  char all[kFields * kRoom];
  snprintf(all, sizeof all, "%s;%s;%s;%s;%s;%s", name, said[0], said[1], before[0], before[1],
           before[2]);
  setenv(kRunName, all, 1);
}

bool run_is_named() {
  const Text text;
  return text.is_good;
}

bool sizes_are_said() { return is_said(Text(), 0); }
bool levels_are_said() { return is_said(Text(), 1); }

bool threads_are_set_later() {
  const Text text;
  const char* const expected =
      text.field[kThreadsSaid][0] != '\0' ? text.field[kThreadsSaid] : text.field[kThreadsBefore];
  return text.is_good && !is_same(variable(kVariablesOf[0]), expected);
}

const char* users_value(const char* name, UsersValue& value) {
  const Text text;
  const char* present = variable(name);
  const char* field = nullptr;
  for (int i = 0; i <= kSaid; ++i) {
    const bool is_ours =
        i < kSaid ? is_said(text, i) : present == nullptr && text.is_good && is_said(text, 1);
    if (strcmp(name, kVariablesOf[i]) == 0 && is_ours) {
      field = text.field[kThreadsBefore + i];
    }
  }
  if (field == nullptr) {
    return present;
  }
  memcpy(value.room, field, kRoom);
  return value.room[0] == '\0' ? nullptr : value.room;
}

const char* variable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

}  // namespace nestbind::options
