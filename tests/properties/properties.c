/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread changes a property. Then the worker of an inner region reads this property.
 *
 *   properties list                     This prints NAME|FLAGS for each row.
 *   properties MASTER DIRECTION NAME    This runs the row NAME.
 *
 * MASTER is the primary thread of the inner regions. If MASTER is "initial", this is the initial
 * thread. If MASTER is "outer", this is the other thread of an outer team of two. If DIRECTION is
 * "set", the primary thread changes the property before an inner region. If DIRECTION is "left", a
 * worker of an earlier inner region changes the property. The output has these words with values:
 *
 *   kept             "same" if a second inner region had the same worker before the change.
 *   before           The worker has read this value before the change.
 *   set              The change has returned "good" or this error.
 *   setter-before    The thread that makes the change has read this value before the change.
 *   setter           The same thread has read this value after the change.
 *   after            The worker of the next inner region has read this value.
 *   thread           "same" if this worker is the same thread as before.
 *
 * If this machine lacks the property, the output is "unavailable WHY". */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

static const struct property *const kRows[] = {
    kSignalRows,  kSchedulingRows,  kAffinityRows, kMemoryRows, kProcessorRows,
    kLibraryRows, kThreadLocalRows, kStackRows,    kSharedRows, kCountedRows,
};

static struct outcome {
  int unavailable;
  int set;
  bool is_kept;
  bool is_same;
  char before[kText];
  char setter_before[kText];
  char setter[kText];
  char after[kText];
} g_outcome;

static __thread bool t_is_worker;

bool is_worker(void) { return t_is_worker; }

static void write_line(const char *name, const char *text) {
  char line[kText + 64];
  int length = snprintf(line, sizeof line, "%s %s\n", name, text);
  unseen(SYS_write, STDOUT_FILENO, line, (size_t)length);
}

static void write_outcome(void) {
  if (g_outcome.unavailable != 0) {
    write_line("unavailable", strerrordesc_np(g_outcome.unavailable));
    return;
  }
  write_line("kept", g_outcome.is_kept ? "same" : "new");
  write_line("before", g_outcome.before);
  write_line("set", g_outcome.set == 0 ? "good" : strerrorname_np(g_outcome.set));
  write_line("setter-before", g_outcome.setter_before);
  write_line("setter", g_outcome.setter);
  write_line("after", g_outcome.after);
  write_line("thread", g_outcome.is_same ? "same" : "new");
}

void end_with_value(const char *text) {
  snprintf(g_outcome.after, kText, "%s", text);
  write_outcome();
  unseen(SYS_exit_group, 0);
}

/* Runs an inner region, whose worker calls `visit`. Returns the worker's thread number. */
static pid_t fork_inner(void (*visit)(const struct property *row), const struct property *row) {
  pid_t worker = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    t_is_worker = true;
    if (visit != NULL) visit(row);
    worker = thread_id();
  }
  return worker;
}

static void read_before(const struct property *row) { row->read(g_outcome.before); }
static void read_after(const struct property *row) { row->read(g_outcome.after); }

static void change(const struct property *row) {
  const bool is_seen = (row->flags & kSetterIsBlind) == 0;
  if (is_seen) row->read(g_outcome.setter_before);
  g_outcome.set = row->set();
  if (is_seen) row->read(g_outcome.setter);
}

static void judge(const struct property *row, bool is_left) {
  if (row->prepare != NULL) g_outcome.unavailable = row->prepare();
  if (g_outcome.unavailable != 0) return;
  const pid_t first = fork_inner(read_before, row);
  pid_t worker = fork_inner(NULL, row);
  g_outcome.is_kept = worker == first;
  if (is_left) {
    worker = fork_inner(change, row);
    g_outcome.is_kept = g_outcome.is_kept && worker == first;
  } else {
    change(row);
  }
  g_outcome.is_same = fork_inner(read_after, row) == worker;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

static const struct property *row_of(const char *name) {
  for (size_t i = 0; i < sizeof kRows / sizeof kRows[0]; ++i) {
    for (const struct property *row = kRows[i]; row->name != NULL; ++row) {
      if (strcmp(row->name, name) == 0) return row;
    }
  }
  return NULL;
}

static int list(void) {
  for (size_t i = 0; i < sizeof kRows / sizeof kRows[0]; ++i) {
    for (const struct property *row = kRows[i]; row->name != NULL; ++row) {
      printf("%s|%u\n", row->name, row->flags);
    }
  }
  return 0;
}

/* Restarts the process with another environment, because the runtime has already read the old one.
 */
static void begin_with(const char *setting, char **argv) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
  if (getenv(name) != NULL) return;
  setenv(name, strchr(setting, '=') + 1, 1);
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) return list();
  const struct property *row = argc == 4 ? row_of(argv[3]) : NULL;
  if (row == NULL) return 2;
  if (row->environment != NULL) begin_with(row->environment, argv);
  const int outer = strcmp(argv[1], "outer") == 0 ? 2 : 1;
  const bool is_left = strcmp(argv[2], "left") == 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
  if (omp_get_thread_num() == outer - 1) judge(row, is_left);
  write_outcome();
  return 0;
}
