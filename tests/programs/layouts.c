/* SPDX-License-Identifier: BSD-3-Clause */
/* layouts CHECK...: checks the teams in a report, and their order. For each check the program
 * starts itself again, and gets a new report. A text like "0.0x2" describes a team. It has the path
 * of the first member, and the size of the team. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "checks.h"

static void team(int size) {
#pragma omp parallel num_threads(size)
  if (omp_get_thread_num() > size) abort();
}

/* Thread 1 forks its inner team before thread 0. */
static void nested(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
    if (omp_get_thread_num() != 0) team(inner);
#pragma omp barrier
    if (omp_get_thread_num() == 0) team(inner);
  }
}

/* Marks and reports go to the standard error output. */
static void mark(const char *text) {
  if (write(2, text, strlen(text)) != (ssize_t)strlen(text)) abort();
}

static void grow_inside(void) {
#pragma omp parallel num_threads(2)
  {
    for (int size = 3; size >= 2; --size) {
      team(size);
#pragma omp barrier
    }
#pragma omp single
    mark("inside\n");
  }
  mark("outside\n");
}

static void grow(void) {
  nested(2, 2);
  mark("first\n");
  nested(2, 2);
  mark("again\n");
  nested(2, 3);
  mark("second\n");
  nested(3, 2);
}

static void end_inside(const char *how) {
#pragma omp parallel num_threads(2)
  {
    team(2);
#pragma omp barrier
#pragma omp master
    {
      if (strcmp(how, "exit") == 0) exit(7);
      if (strcmp(how, "_exit") == 0) _exit(7);
      abort();
    }
#pragma omp barrier
  }
}

static void *run_nested(void *unused) {
  nested(2, 2);
  return unused;
}

static void on_another_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_nested, NULL) != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
}

/* The report does not show the second root's teams, because they are not placed. */
static void fork_roots(void) {
  nested(2, 2);
  mark("other\n");
  on_another_thread();
}

static void hand_on(void) {
  on_another_thread();
  mark("next\n");
  nested(2, 2);
}

static void fork_child(void) {
  const pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    nested(2, 2);
    exit(0);
  }
  if (waitpid(child, NULL, 0) != child) abort();
  mark("parent\n");
  nested(2, 2);
}

static void fork_inside(void) {
#pragma omp parallel num_threads(2)
  {
    team(2);
#pragma omp barrier
#pragma omp master
    {
      const pid_t child = fork();
      if (child == 0) exit(0);
      if (waitpid(child, NULL, 0) != child) abort();
      mark("child\n");
    }
#pragma omp barrier
  }
}

static void fork_many(void) {
  for (int size = 1; size <= 40; ++size) nested(1, size);
}

static void wait_inside(void) {
#pragma omp parallel num_threads(2)
  {
    team(2);
#pragma omp barrier
#pragma omp master
    {
      mark("before\n");
      usleep(1200000);
      team(2);
      mark("after\n");
    }
#pragma omp barrier
  }
}

static void act(const char *what) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (strcmp(what, "tree") == 0) nested(3, 2);
  if (strcmp(what, "now") == 0) grow_inside();
  if (strcmp(what, "inside") == 0) grow_inside();
  if (strcmp(what, "growing") == 0) grow();
  if (strcmp(what, "exit") == 0) end_inside("exit");
  if (strcmp(what, "_exit") == 0) end_inside("_exit");
  if (strcmp(what, "abort") == 0) end_inside("abort");
  if (strcmp(what, "roots") == 0) fork_roots();
  if (strcmp(what, "chain") == 0) hand_on();
  if (strcmp(what, "child") == 0) fork_child();
  if (strcmp(what, "child-inside") == 0) fork_inside();
  if (strcmp(what, "many") == 0) fork_many();
  if (strcmp(what, "quiet") == 0) wait_inside();
}

struct seen {
  char text[16384];
  int status;
};

static void add(struct seen *seen, const char *word) {
  const size_t used = strlen(seen->text);
  snprintf(seen->text + used, sizeof seen->text - used, "%s%s", used == 0 ? "" : " ", word);
}

/* Adds "1.0x2" for the line {..."threads": [{"path": [1, 0], ...}, {"path": ...}]}. */
static void add_team(struct seen *seen, const char *line) {
  char word[256];
  size_t used = 0;
  int size = 0;
  for (const char *at = strstr(line, "\"path\": ["); at != NULL;
       at = strstr(at + 1, "\"path\": [")) {
    const char *digit = at + strlen("\"path\": [");
    for (; size == 0 && *digit != ']' && used + 1 < sizeof word; ++digit) {
      if (*digit != ' ') word[used++] = *digit == ',' ? '.' : *digit;
    }
    ++size;
  }
  snprintf(word + used, sizeof word - used, "x%d", size);
  add(seen, word);
}

static void read_lines(struct seen *seen, FILE *lines) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, lines) > 0) {
    line[strcspn(line, "\n")] = '\0';
    line[0] == '{' ? add_team(seen, line) : add(seen, line);
  }
  free(line);
}

static void run_anew(struct seen *seen, const char *what, const char *report) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) abort();
  const pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    setenv("LAYOUTS", what, 1);
    setenv("NESTBIND_REPORT", report, 1);
    setenv("NESTBIND_QUIET", "1", 1);
    dup2(ends[1], 2);
    execl("/proc/self/exe", "layouts", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  if (lines == NULL) abort();
  seen->text[0] = '\0';
  read_lines(seen, lines);
  fclose(lines);
  if (waitpid(child, &seen->status, 0) != child) abort();
}

static bool says(const char *what, const char *report, const char *expected, int status) {
  static struct seen seen;
  run_anew(&seen, what, report);
  const bool is_good = strcmp(seen.text, expected) == 0 && seen.status == status;
  if (!is_good) say("status %d: %s", seen.status, seen.text);
  return is_good;
}

static const int kEnds = 0;
static const int kExits = 7 << 8;
#define TWICE "0x2 0.0x2 1.0x2"

static bool tree(void) { return says("tree", "json", "0x3 0.0x2 1.0x2 2.0x2", kEnds); }
static bool inside(void) {
  return says("inside", "json", "inside 0x2 0.0x2 0.0x3 1.0x2 1.0x3 outside", kEnds);
}
static bool growing(void) {
  return says("growing", "json", TWICE " first again 0.0x3 1.0x3 second 0x3 0.0x2 1.0x2 2.0x2",
              kEnds);
}
static bool at_exit(void) { return says("exit", "json", TWICE, kExits); }
static bool at_abort(void) { return says("abort", "json", "", SIGABRT); }
static bool at__exit(void) { return says("_exit", "json", "", kExits); }
static bool roots(void) { return says("roots", "json", TWICE " other", kEnds); }
static bool chain(void) { return says("chain", "json", TWICE " next", kEnds); }
static bool child(void) { return says("child", "json", TWICE " parent " TWICE, kEnds); }
static bool child_inside(void) { return says("child-inside", "json", "child " TWICE, kEnds); }
static bool quiet(void) { return says("quiet", "json", "before " TWICE " after", kEnds); }

/* The report of a region shows only new teams. */
static bool many(void) {
  static char expected[1024] = "0x1";
  for (int size = 1; size <= 40; ++size) {
    const size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, " 0.0x%d", size);
  }
  return says("many", "json", expected, kEnds);
}

static bool now(void) {
  static struct seen seen;
  run_anew(&seen, "now", "json,now");
  const char *const end = strstr(seen.text, "inside");
  bool is_good = seen.status == kEnds && end != NULL && strstr(seen.text, "inside outside") == end;
  for (const char *const *word =
           (const char *const[]){"0x2", "0.0x3", "1.0x3", "0.0x2", "1.0x2", NULL};
       *word; ++word) {
    const char *const found = strstr(seen.text, *word);
    is_good = is_good && found != NULL && found < end;
  }
  if (!is_good) say("status %d: %s", seen.status, seen.text);
  return is_good;
}

static const struct check kChecks[] = {
    {"tree", tree},       {"inside", inside},
    {"growing", growing}, {"exit", at_exit},
    {"abort", at_abort},  {"_exit", at__exit},
    {"roots", roots},     {"chain", chain},
    {"child", child},     {"child-inside", child_inside},
    {"many", many},       {"quiet", quiet},
    {"now", now},         {NULL, NULL},
};

int main(int argc, char **argv) {
  const char *what = getenv("LAYOUTS");
  if (what != NULL) {
    act(what);
    return 0;
  }
  return run_checks(kChecks, argc, argv);
}
