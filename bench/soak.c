/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks millions of inner teams, and changes their sizes and primary threads at random. Checks that
 * memory and threads do not grow.
 *
 *   soak [FORKS [SEED [PRIMARIES [INNER]]]]
 *
 * Outer teams have 1 to PRIMARIES (by default 3) members. Each member forks up to 500 inner teams
 * of 1 to INNER (by default 4) members. The exit status is 1 if a team has a wrong size, or if a
 * limit is exceeded. The same SEED gives the same teams. */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team_sizes.h"

enum {
  kForks = 10000000,
  kSeed = 1,
  kPrimaries = 3,
  kInner = 4,
  kMostForksOfAPrimary = 500,
  kForksOfARecord = 100000,
  kOwnThreadOneIn = 8
};

/* After the first tenth of the forks, memory and mappings may grow by at most these values. */
static const long kMoreKilobytes = 8 * 1024;
static const long kMoreMappings = 64;
/* The initial thread and one other thread can have outer teams at the same time. Each member of an
 * outer team may have two kept inner teams. */
static long most_threads(int primaries, int inner) { return 4L * primaries * inner + 8; }

struct usage {
  long kilobytes, threads, mappings;
};

struct teams {
  int primaries, inner;
  uint64_t seed;
  long forks, wrong;
};

/* Source: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators"
 * (2014). */
static uint64_t next_random(uint64_t *state) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

static int random_size(uint64_t *state, int most) {
  return 1 + (int)(next_random(state) % (uint64_t)most);
}

static bool fork_inner(int size) {
  unsigned seen = 0;
  int members = 0;
#pragma omp parallel num_threads(size) reduction(| : seen) reduction(+ : members)
  {
    seen |= 1U << omp_get_thread_num();
    members += 1;
  }
  return members == size && seen == (1U << size) - 1;
}

static void fork_inner_teams(struct teams *teams) {
  uint64_t state = teams->seed + ((uint64_t)omp_get_thread_num() << 32);
  const int forks = random_size(&state, kMostForksOfAPrimary);
  long wrong = 0;
  int size = 0;
  for (int i = 0; i < forks; ++i) {
    /* Some consecutive forks have the same size, as in real programs. */
    if (size == 0 || next_random(&state) % 8 == 0) size = random_size(&state, teams->inner);
    wrong += !fork_inner(size);
  }
#pragma omp atomic
  teams->forks += forks;
#pragma omp atomic
  teams->wrong += wrong;
}

static void *fork_outer_team(void *given) {
  struct teams *teams = given;
  uint64_t state = ~teams->seed;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(random_size(&state, teams->primaries))
  fork_inner_teams(teams);
  return NULL;
}

static void fork_in_own_thread(struct teams *teams) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fork_outer_team, teams) != 0 ||
      pthread_join(thread, NULL) != 0) {
    fputs("soak: a thread could not be made or joined\n", stderr);
    exit(1);
  }
}

static FILE *open_or_stop(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

static struct usage usage_now(void) {
  struct usage usage = {0, 0, 0};
  char line[512];
  FILE *status = open_or_stop("/proc/self/status");
  while (fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "VmRSS:", 6) == 0) usage.kilobytes = strtol(line + 6, NULL, 10);
    if (strncmp(line, "Threads:", 8) == 0) usage.threads = strtol(line + 8, NULL, 10);
  }
  fclose(status);
  FILE *maps = open_or_stop("/proc/self/maps");
  while (fgets(line, sizeof line, maps) != NULL) usage.mappings += strchr(line, '\n') != NULL;
  fclose(maps);
  return usage;
}

static long larger(long one, long other) { return one > other ? one : other; }

static bool exceeds(const char *what, long value, long bound) {
  if (value > bound) fprintf(stderr, "soak: %ld %s, expected %ld at most\n", value, what, bound);
  return value > bound;
}

static bool is_within_bounds(const struct teams *teams, double seconds, bool is_early,
                             struct usage *early) {
  const struct usage now = usage_now();
  printf("%ld,%ld,%ld,%ld,%.3f\n", teams->forks, now.kilobytes, now.threads, now.mappings, seconds);
  fflush(stdout);
  if (is_early) {
    early->kilobytes = larger(early->kilobytes, now.kilobytes);
    early->mappings = larger(early->mappings, now.mappings);
  }
  bool within = !exceeds("threads", now.threads, most_threads(teams->primaries, teams->inner));
  if (exceeds("kilobytes", now.kilobytes, early->kilobytes + kMoreKilobytes)) within = false;
  if (exceeds("mappings", now.mappings, early->mappings + kMoreMappings)) within = false;
  if (teams->wrong > 0) {
    fprintf(stderr, "soak: %ld teams did not have each member once\n", teams->wrong);
    within = false;
  }
  return within;
}

int main(int argc, char **argv) {
  if (argc > 5) {
    fputs("usage: soak [FORKS [SEED [PRIMARIES [INNER]]]]\n", stderr);
    return 2;
  }
  const long forks = argc > 1 ? number_argument(argv[1], 1, "a number of forks") : kForks;
  uint64_t state = (uint64_t)(argc > 2 ? number_argument(argv[2], 0, "a seed") : kSeed);
  struct teams teams = {
      .primaries = argc > 3 ? (int)number_argument(argv[3], 1, "a number of masters") : kPrimaries,
      .inner = argc > 4 ? (int)number_argument(argv[4], 1, "a size of inner teams") : kInner};
  if (teams.inner > 31) {
    fputs("soak: inner teams of 31 at most\n", stderr);
    return 2;
  }
  struct usage early = {0, 0, 0};
  bool within = true;
  const double begin = omp_get_wtime();
  puts("forks,rss_kb,threads,mappings,seconds");
  for (long next = kForksOfARecord; teams.forks < forks;) {
    teams.seed = next_random(&state);
    if (teams.seed % kOwnThreadOneIn == 0) {
      fork_in_own_thread(&teams);
    } else {
      fork_outer_team(&teams);
    }
    if (teams.forks >= next || teams.forks >= forks) {
      const bool is_early = early.kilobytes == 0 || teams.forks <= forks / 10;
      within = is_within_bounds(&teams, omp_get_wtime() - begin, is_early, &early) && within;
      next += kForksOfARecord;
    }
  }
  return within ? 0 : 1;
}
