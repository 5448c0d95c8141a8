/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: places SCRIPT RESULTS      Executes a script, and writes where each thread was.
 *        places rules               Prints the file of rules that nestbind has made.
 *
 *   s TEXT              omp_set_nesting_info(TEXT)
 *   l NUMBER            omp_set_max_active_levels
 *   r REGION THREADS {block 0} {block 1} ...    Forks the region. With 0 threads it has no clause.
 *                       Member i executes block i. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>

#include "pool.h"

enum { kMost = 64 };

struct nestbind_place {
  int level, path[64], pinned, core, package, numa, numa_logical;
};
static int (*g_set)(const char *);
static int (*g_place)(struct nestbind_place *);
static int (*g_cpus)(int *, int);

struct seen {
  int error, pinned, core, count, cpus[kMost];
};
struct results {
  int size, looped;
  struct seen begin[kMost], end[kMost];
};

static void see(struct seen *seen) {
  struct nestbind_place place;
  memset(&place, 0, sizeof place);
  seen->error = g_place(&place);
  seen->pinned = place.pinned;
  seen->core = place.core;
  seen->count = g_cpus(seen->cpus, kMost);
}

static void member(struct operation *region, int thread) {
  struct results *results = region->results;
  const int self = omp_get_thread_num();
  if (self == 0) results->size = omp_get_num_threads();
  if (self >= kMost) abort();
  see(&results->begin[self]);
#pragma omp for schedule(runtime) nowait
  for (int i = 0; i < 9; ++i) __atomic_fetch_add(&results->looped, 1, __ATOMIC_RELAXED);
  if (self < region->blocks) execute(region->block[self], thread);
  see(&results->end[self]);
}

/* A rule may name a region by its function or by its line. The functions differ, so that the
 * compiler does not merge them. */
static volatile int g_sink;
#define REGION(name, value)                                                          \
  __attribute__((noinline)) static void name(struct operation *region, int thread) { \
    g_sink = (value);                                                                \
    if (region->number[1] > 0) {                                                     \
      _Pragma("omp parallel num_threads(region->number[1])") {                       \
        g_sink = (value) + 1;                                                        \
        member(region, thread);                                                      \
      }                                                                              \
    } else {                                                                         \
      _Pragma("omp parallel") {                                                      \
        g_sink = (value) + 2;                                                        \
        member(region, thread);                                                      \
      }                                                                              \
    }                                                                                \
  }
REGION(r0, 0)
REGION(r1, 10)
REGION(r2, 20)
REGION(r3, 30)
REGION(r4, 40)
REGION(r5, 50)
REGION(r6, 60)
REGION(r7, 70)
REGION(r8, 80)
REGION(r9, 90)
static void (*const kRegions[])(struct operation *, int) = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9};

static void execute(struct operation *block, int thread) {
  for (struct operation *line = block; line != NULL; line = line->next) {
    switch (line->kind) {
      case 's':
        if (g_set(line->text) != 0)
          fprintf(stderr, "line %d: %s is refused\n", line->id, line->text);
        break;
      case 'l':
        omp_set_max_active_levels(line->number[0]);
        break;
      case 'r':
        kRegions[line->number[0]](line, thread);
        break;
      default:
        bad_script(line->text);
    }
  }
}

static void prepare(struct operation *line) {
  for (; line != NULL; line = line->next) {
    if (line->kind == 'r') line->results = calloc(1, sizeof(struct results));
    for (int i = 0; i < line->blocks; ++i) prepare(line->block[i]);
  }
}

static void print_seen(FILE *file, const struct seen *seen) {
  fprintf(file, " %d %d %d", seen->error, seen->pinned, seen->core);
  for (int i = 0; i < seen->count && i < kMost; ++i) {
    fprintf(file, "%c%d", i == 0 ? ' ' : ',', seen->cpus[i]);
  }
  if (seen->count <= 0) fprintf(file, " none");
}

static void print(FILE *file, struct operation *line) {
  for (; line != NULL; line = line->next) {
    const struct results *results = line->results;
    if (results != NULL) {
      for (int i = 0; i < results->size; ++i) {
        fprintf(file, "%d %d %d %d", line->id, results->size, results->looped, i);
        print_seen(file, &results->begin[i]);
        print_seen(file, &results->end[i]);
        fprintf(file, "\n");
      }
    }
    for (int i = 0; i < line->blocks; ++i) print(file, line->block[i]);
  }
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "rules") == 0) {
    const char *rules = getenv("NESTBIND_RULES");
    puts(rules == NULL ? "" : rules);
    return 0;
  }
  if (count != 3) return 2;
  *(void **)&g_set = dlsym(RTLD_DEFAULT, "omp_set_nesting_info");
  *(void **)&g_place = dlsym(RTLD_DEFAULT, "nestbind_get_place");
  *(void **)&g_cpus = dlsym(RTLD_DEFAULT, "nestbind_get_cpus");
  if (g_set == NULL || g_place == NULL || g_cpus == NULL) {
    fprintf(stderr, "libnestbind is not loaded\n");
    return 2;
  }
  struct operation *script = read_script(words[1]);
  prepare(script);
  execute_script(script);
  FILE *file = fopen(words[2], "w");
  if (file == NULL) return 2;
  print(file, script);
  fclose(file);
  return 0;
}
