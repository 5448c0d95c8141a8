/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the checks that the program's arguments name, or all checks without arguments. For each
 * check prints a line that says whether the check is good.
 */
#ifndef NESTBIND_CHECKS_H
#define NESTBIND_CHECKS_H

#include <stdbool.h>
#include <string.h>

#include "show.h"

struct check {
  const char *name;
  bool (*is_good)(void);
};

static inline bool run_check(const struct check *check) {
  const bool is_good = check->is_good();
  say("%s %s", check->name, is_good ? "good" : "WRONG");
  return is_good;
}

/* The last row of `checks` has no name. */
static inline int run_checks(const struct check *checks, int argc, char **argv) {
  int status = 0;
  for (const struct check *check = checks; argc == 1 && check->name != NULL; ++check) {
    if (!run_check(check)) status = 1;
  }
  for (int i = 1; i < argc; ++i) {
    const struct check *check = checks;
    while (check->name != NULL && strcmp(argv[i], check->name) != 0) ++check;
    if (check->name == NULL) return 2;
    if (!run_check(check)) status = 1;
  }
  return status;
}

#endif
