// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/launcher.hpp"

#include "support/decimal.hpp"

namespace nestbind::ranks {

namespace {

// Returns -1 if there is no number, or if it is too large.
int take_number(const char*& at) {
  const char* const begin = at;
  const auto number = static_cast<int>(support::take_decimal(at, nullptr, kMostNumber));
  return at == begin || number > kMostNumber ? -1 : number;
}

bool take(const char*& at, const char* expected) {
  const char* ahead = at;
  for (; *expected != '\0'; ++expected, ++ahead) {
    if (*ahead != *expected) {
      return false;
    }
  }
  at = ahead;
  return true;
}

// The text "2(x3)" means 2 tasks on each of 3 nodes.
struct Run {
  int tasks;
  int nodes;
};

// On an error returns a run of 0 nodes.
Run take_run(const char*& at) {
  Run run{take_number(at), 1};
  if (run.tasks < 0) {
    return {};
  }
  if (take(at, "(x")) {
    run.nodes = take_number(at);
    if (run.nodes < 1 || !take(at, ")")) {
      return {};
    }
  }
  return run;
}

}  // namespace

int number_in(const char* text) {
  const int number = text == nullptr ? -1 : take_number(text);
  return number >= 0 && *text == '\0' ? number : -1;
}

int tasks_on(const char* text, int node) {
  if (text == nullptr || node < 0) {
    return 0;
  }
  int found = 0;
  long before = 0;
  for (;;) {
    const Run run = take_run(text);
    if (run.nodes == 0) {
      return 0;
    }
    if (node >= before && node < before + run.nodes) {
      found = run.tasks;
    }
    before += run.nodes;
    if (*text == '\0') {
      return found;
    }
    if (!take(text, ",")) {
      return 0;
    }
  }
}

int entries_in(const char* list) {
  int count = 1;
  for (const char* at = list; *at != '\0'; ++at) {
    count += *at == ',' ? 1 : 0;
  }
  return count;
}

}  // namespace nestbind::ranks
