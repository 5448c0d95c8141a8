/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program's checks: those that its arguments name are run, in their order, and a line tells of
 * each whether it is good.
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

/* Behind the last check stands one without a name. Returns the program's status. */
static inline int run_checks(const struct check *checks, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const struct check *check = checks;
    while (check->name != NULL && strcmp(argv[i], check->name) != 0) ++check;
    if (check->name == NULL) return 2;
    say("%s %s", argv[i], check->is_good() ? "good" : "WRONG");
  }
  return 0;
}

#endif
