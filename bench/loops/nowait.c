/* SPDX-License-Identifier: BSD-3-Clause */
/* nowait LOOPS SEED: runs LOOPS consecutive loops without barriers, in two inner teams at the same
 * time. The sizes of the teams change, and threads are late at random. Each iteration must run
 * once. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kTeams = 2, kMostThreads = 4, kInARow = 100, kMostIterations = 64, kMostTold = 20 };

struct team {
  uint64_t chance;    /* state of the random numbers; the same for all members */
  int sizes[kInARow]; /* iterations of each loop */
  unsigned char counts[kInARow][kMostIterations];
  uint64_t iterations;
  uint64_t wrong;
};

static uint64_t random_number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dU;
}

static void spin(uint64_t amount) {
  for (uint64_t i = 0; i < amount; ++i) __asm__ volatile("" : : "r"(i) : "memory");
}

static void fall_behind(uint64_t *state) {
  const uint64_t chance = random_number(state) >> 32;
  if (chance % 4 == 0) spin(chance % 1009);
  if (chance % 67 == 1) sched_yield();
  if (chance % 1021 == 2) usleep((useconds_t)(chance >> 16) % 150);
}

/* Compilers generate different calls of the runtime for each of these schedules. */
static void loop(unsigned char *counts, int size, uint64_t kind) {
  switch (kind % 6) {
    case 0:
#pragma omp for schedule(dynamic, 2) nowait
      for (long i = 0; i < size; ++i) __atomic_add_fetch(&counts[i], 1, __ATOMIC_RELAXED);
      break;
    case 1:
#pragma omp for schedule(guided) nowait
      for (int i = size; i > 0; --i) __atomic_add_fetch(&counts[i - 1], 1, __ATOMIC_RELAXED);
      break;
    case 2:
#pragma omp for schedule(monotonic : runtime) nowait
      for (int i = 0; i < size; ++i) __atomic_add_fetch(&counts[i], 1, __ATOMIC_RELAXED);
      break;
    case 3:
#pragma omp for schedule(runtime) nowait
      for (unsigned long i = 0; i < (unsigned long)size; ++i) {
        __atomic_add_fetch(&counts[i], 1, __ATOMIC_RELAXED);
      }
      break;
    default:
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < size; ++i) {
        if (i % 16 == 7) spin(300);
        __atomic_add_fetch(&counts[i], 1, __ATOMIC_RELAXED);
      }
      break;
  }
}

static void count_wrong(struct team *team, int threads) {
  for (int l = 0; l < kInARow; ++l) {
    for (int i = 0; i < kMostIterations; ++i) {
      const int wanted = i < team->sizes[l];
      team->iterations += (uint64_t)wanted;
      if (team->counts[l][i] == wanted) continue;
      if (team->wrong++ < kMostTold) {
        fprintf(stderr, "%d threads, loop %d of %d iterations: iteration %d is run %d times\n",
                threads, l, team->sizes[l], i, team->counts[l][i]);
      }
    }
  }
  memset(team->counts, 0, sizeof team->counts);
}

static void run(struct team *team) {
  const int threads = 2 + (int)(random_number(&team->chance) % (kMostThreads - 1));
  for (int l = 0; l < kInARow; ++l) {
    team->sizes[l] = (int)((random_number(&team->chance) >> 32) % (kMostIterations + 1));
  }
  const uint64_t kinds = random_number(&team->chance);
#pragma omp parallel num_threads(threads)
  {
    uint64_t state = kinds ^ (uint64_t)(omp_get_thread_num() + 1) * 0x9e3779b97f4a7c15U;
    for (int l = 0; l < kInARow; ++l) {
      fall_behind(&state);
      loop(team->counts[l], team->sizes[l], (kinds >> l % 48) % 64);
    }
  }
  count_wrong(team, threads);
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: nowait LOOPS SEED\n"), 2;
  const uint64_t rounds = (strtoull(argv[1], NULL, 10) + kTeams * kInARow - 1) / (kTeams * kInARow);
  const uint64_t seed = strtoull(argv[2], NULL, 10);
  static struct team teams[kTeams];
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(kTeams)
  {
    struct team *team = &teams[omp_get_thread_num()];
    team->chance = (2 * seed + 1) * 0x9e3779b97f4a7c15U + (uint64_t)omp_get_thread_num();
    for (uint64_t i = 0; i < rounds; ++i) run(team);
  }
  uint64_t iterations = 0;
  uint64_t wrong = 0;
  for (int t = 0; t < kTeams; ++t) {
    iterations += teams[t].iterations;
    wrong += teams[t].wrong;
  }
  printf("%llu loops, %llu iterations, %llu wrong\n",
         (unsigned long long)(rounds * kTeams * kInARow), (unsigned long long)iterations,
         (unsigned long long)wrong);
  return wrong == 0 ? 0 : 1;
}
