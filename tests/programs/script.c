/* SPDX-License-Identifier: BSD-3-Clause */
/* The initial thread does the steps that the arguments name, in order:
 *
 *   fork=[LABEL:]4x2x4  Forks nested teams. A number is a num_threads clause. "d" is the default
 *                       size. "s" means if(0). Each innermost thread prints a row.
 *   spec=TEXT           Calls omp_set_nesting_info.
 *   get                 Prints the answer of omp_get_nesting_info.
 *   threads=N           Calls omp_set_num_threads.
 *   levels=N            Calls omp_set_max_active_levels.
 *   times=N             Does all later steps N times, and prints each time.
 *   max=LABEL           Prints omp_get_max_threads.
 *   row=LABEL           Prints a row.
 *   active=LABEL        Prints omp_get_max_active_levels.
 *   pause               Calls omp_pause_resource_all.
 *   exit=N              Ends with this status.
 *   overwrite           Overwrites the environment with which the process was started.
 *   tool                Calls omp_control_tool, and prints if the runtime has a tool.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "show.h"

static void fork_teams(const char *label, const char *shape) {
  if (*shape == 'x') ++shape;
  const char *rest = shape;
  long size = strtol(shape, (char **)&rest, 10);
  if (*shape == 'd' || *shape == 's') ++rest;
  bool last = *rest == '\0';
  if (*shape == 'd') {
#pragma omp parallel
    {
      if (last) {
        show(label);
      } else {
        fork_teams(label, rest);
      }
    }
  } else if (*shape == 's') {
#pragma omp parallel if (0)
    {
      if (last) {
        show(label);
      } else {
        fork_teams(label, rest);
      }
    }
  } else {
#pragma omp parallel num_threads((int)size)
    {
      if (last) {
        show(label);
      } else {
        fork_teams(label, rest);
      }
    }
  }
}

static void fork_step(const char *argument) {
  const char *colon = strchr(argument, ':');
  char label[64] = "-";
  if (colon != NULL) snprintf(label, sizeof label, "%.*s", (int)(colon - argument), argument);
  fork_teams(label, colon != NULL ? colon + 1 : argument);
}

static const char *value_of(const char *step, const char *name) {
  size_t length = strlen(name);
  return strncmp(step, name, length) == 0 ? step + length : NULL;
}

static void set_spec(const char *text) {
  int error = omp_set_nesting_info != NULL ? omp_set_nesting_info(text) : NESTBIND_OK;
  if (error != NESTBIND_OK) say("error %d", error);
}

static void get_spec(void) {
  char text[256] = "";
  size_t length = omp_get_nesting_info != NULL ? omp_get_nesting_info(text, sizeof text) : 0;
  say("spec %zu <%s>", length, text);
}

/* omp_control_tool returns -2 without a tool, -1 if the tool has no control callback. */
static void say_tool(void) {
  int (*control)(int, int, void *) =
      (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  if (control != NULL) say("tool %d", control(1, 0, NULL));
}

static void step(const char *argument) {
  const char *value;
  if ((value = value_of(argument, "fork=")) != NULL) {
    fork_step(value);
  } else if ((value = value_of(argument, "spec=")) != NULL) {
    set_spec(value);
  } else if (strcmp(argument, "get") == 0) {
    get_spec();
  } else if ((value = value_of(argument, "threads=")) != NULL) {
    omp_set_num_threads(atoi(value));
  } else if ((value = value_of(argument, "levels=")) != NULL) {
    omp_set_max_active_levels(atoi(value));
  } else if ((value = value_of(argument, "max=")) != NULL) {
    say("%s %d", value, omp_get_max_threads());
  } else if ((value = value_of(argument, "active=")) != NULL) {
    say("%s %d", value, omp_get_max_active_levels());
  } else if ((value = value_of(argument, "row=")) != NULL) {
    show(value);
  } else if (strcmp(argument, "pause") == 0) {
    if (omp_pause_resource_all(omp_pause_soft) != 0) say("the runtime does not pause");
  } else if (strcmp(argument, "overwrite") == 0) {
    for (char **entry = environ; *entry != NULL; ++entry) memset(*entry, 'x', strlen(*entry));
  } else if (strcmp(argument, "tool") == 0) {
    say_tool();
  } else if ((value = value_of(argument, "exit=")) != NULL) {
    exit(atoi(value));
  } else {
    fprintf(stderr, "script: no step %s\n", argument);
    exit(2);
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const char *times = value_of(argv[i], "times=");
    if (times == NULL) {
      step(argv[i]);
      continue;
    }
    for (int round = atoi(times); round > 0; --round) {
      for (int k = i + 1; k < argc; ++k) step(argv[k]);
    }
    return 0;
  }
  return 0;
}
