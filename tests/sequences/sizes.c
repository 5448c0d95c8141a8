/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: sizes SCRIPT RESULTS      Executes a script. Prints sums, and writes the sizes that the
 * program was told and that its teams had.
 *
 *   a HOW               asks for the number of threads; HOW is 0: by a call; 1: by the runtime's
 * handle f HOW {block}       forks a team, and each member executes the block; HOW is 0: without a
 * clause; 1: num_threads(what the thread is told) c HOW COUNT         divides the sum of 0 to COUNT
 * - 1 by a number of threads, in arrays of this size; HOW is 0: the number that the program was
 * told first; 1: what the thread is told now m HOW {block}       limits itself to one thread,
 * executes the block, and restores the old number n COUNT             omp_set_num_threads s TEXT
 * omp_set_nesting_info, if there is such a function */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>

#include "pool.h"

static int (*g_asked)(void);
static void (*g_limit)(int);
static int (*g_set)(const char *);
static int g_told; /* the first answer at level 0 */
static FILE *g_results;
static pthread_mutex_t g_writes = PTHREAD_MUTEX_INITIALIZER;

/* The path has the number and the team size of each enclosing region. */
static void note(const struct operation *line, const char *what, int value, int thread) {
  char path[256] = "-";
  int length = 0;
  for (int level = 1; level <= omp_get_level() && length < 240; ++level) {
    length += snprintf(path + length, sizeof path - length, "%s%d/%d", level > 1 ? "." : "",
                       omp_get_ancestor_thread_num(level), omp_get_team_size(level));
  }
  pthread_mutex_lock(&g_writes);
  fprintf(g_results, "%d %d %s %s %d %d\n", line->id, thread, path, what, value,
          omp_get_active_level() < omp_get_max_active_levels());
  pthread_mutex_unlock(&g_writes);
}

/* A region at an inactive level has one thread, whatever omp_get_max_threads says. */
static int next_size(void) {
  const int told = omp_get_max_threads();
  return omp_get_active_level() < omp_get_max_active_levels() ? told : 1;
}

struct sum {
  double value;
  int beyond;
};

static void compute(struct operation *line) {
  const int known =
      line->number[0] == 0 && omp_get_level() == 0 ? __atomic_load_n(&g_told, __ATOMIC_ACQUIRE) : 0;
  const int told = known > 0 ? known : next_size();
  const long count = line->number[1];
  double *part = calloc((size_t)told, sizeof *part);
  int beyond = 0;
#pragma omp parallel
  {
    const int self = omp_get_thread_num();
    if (self < told) {
      for (long i = count * self / told; i < count * (self + 1) / told; ++i)
        part[self] += (double)i;
    } else {
      __atomic_fetch_add(&beyond, 1, __ATOMIC_RELAXED);
    }
  }
  double all = 0;
  for (int i = 0; i < told; ++i) all += part[i];
  free(part);
  struct sum *sum = line->results;
#pragma omp critical
  {
    /* Members of a team, which all have the right sum, count once. */
    if (sum->value == 0 || all != (double)(count * (count - 1) / 2)) sum->value = all;
    sum->beyond += beyond;
  }
}

static void ask(struct operation *line, int thread) {
  const int told = line->number[0] == 1 ? g_asked() : omp_get_max_threads();
  note(line, "told", told, thread);
  int none = 0;
  if (omp_get_level() == 0 && line->number[1] == 0) {
    __atomic_compare_exchange_n(&g_told, &none, told, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
}

static void member(struct operation *line, int thread) {
  if (omp_get_thread_num() == 0) note(line, "team", omp_get_num_threads(), thread);
  if (line->blocks > 0) execute(line->block[0], thread);
}

static void execute(struct operation *block, int thread) {
  for (struct operation *line = block; line != NULL; line = line->next) {
    const int how = line->number[0];
    switch (line->kind) {
      case 'a':
        ask(line, thread);
        break;
      case 'c':
        compute(line);
        break;
      case 'f':
        if (how == 1) {
          const int told = omp_get_max_threads();
#pragma omp parallel num_threads(told)
          member(line, thread);
        } else {
#pragma omp parallel
          member(line, thread);
        }
        break;
      case 'm': {
        const int before = how == 1 ? g_asked() : omp_get_max_threads();
        how == 1 ? g_limit(1) : omp_set_num_threads(1);
        execute(line->block[0], thread);
        how == 1 ? g_limit(before) : omp_set_num_threads(before);
        break;
      }
      case 'n':
        omp_set_num_threads(how);
        break;
      case 's':
        if (g_set != NULL && g_set(line->text) != 0) fprintf(stderr, "%s is refused\n", line->text);
        __atomic_store_n(&g_told, 0, __ATOMIC_RELEASE);
        break;
      default:
        bad_script(line->text);
    }
  }
}

static void prepare(struct operation *line) {
  for (; line != NULL; line = line->next) {
    if (line->kind == 'c') line->results = calloc(1, sizeof(struct sum));
    for (int i = 0; i < line->blocks; ++i) prepare(line->block[i]);
  }
}

static void print(const struct operation *line) {
  for (; line != NULL; line = line->next) {
    const struct sum *sum = line->results;
    if (sum != NULL) printf("line %d: %.0f, %d beyond\n", line->id, sum->value, sum->beyond);
    for (int i = 0; i < line->blocks; ++i) print(line->block[i]);
  }
}

int main(int count, char **words) {
  if (count != 3) return 2;
  struct operation *script = read_script(words[1]);
  prepare(script);
  g_results = fopen(words[2], "w");
  if (g_results == NULL) return 2;
  /* As threadpoolctl does: the functions of the runtime itself. */
  static const char *const kRuntimes[] = {"libgomp.so.1", "libomp.so.5"};
  for (int i = 0; i < 2 && g_asked == NULL; ++i) {
    void *runtime = dlopen(kRuntimes[i], RTLD_NOLOAD | RTLD_NOW);
    if (runtime == NULL) continue;
    *(void **)&g_asked = dlsym(runtime, "omp_get_max_threads");
    *(void **)&g_limit = dlsym(runtime, "omp_set_num_threads");
  }
  if (g_asked == NULL || g_limit == NULL) return 2;
  *(void **)&g_set = dlsym(RTLD_DEFAULT, "omp_set_nesting_info");
  execute_script(script);
  fclose(g_results);
  print(script);
  return 0;
}
