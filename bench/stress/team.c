/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner regions, and the checks that every member makes. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stress.h"

enum { kPlanned = 64, kTasks = 8, kMostWritten = 20 };

_Atomic long g_regions;
static _Atomic long g_wrong;

static cpu_set_t g_allowed;
static struct {
  int outer, inner;
  unsigned long masks[kPlanned];
} g_plan;

/* Source: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators"
 * (2014). */
static uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

uint64_t next_random(uint64_t *state) { return mixed(*state += 0x9e3779b97f4a7c15ULL); }

int random_size(uint64_t *state, int most) {
  return 1 + (int)(next_random(state) % (uint64_t)most);
}

bool one_in(uint64_t *state, int many) { return next_random(state) % (uint64_t)many == 0; }

void wrong(const char *what, long got, long expected) {
  if (atomic_fetch_add(&g_wrong, 1) < kMostWritten) {
    fprintf(stderr, "stress: %s: %lx, expected %lx, after %ld regions\n", what, (unsigned long)got,
            (unsigned long)expected, atomic_load(&g_regions));
  }
}

long wrong_count(void) { return atomic_load(&g_wrong); }

/* The stress test is only for small machines. */
static unsigned long mask_of(const cpu_set_t *set) {
  unsigned long mask = 0;
  memcpy(&mask, set, sizeof mask);
  return mask;
}

static unsigned long mask_here(void) {
  cpu_set_t now;
  CPU_ZERO(&now);
  syscall(SYS_sched_getaffinity, 0, sizeof now, &now);
  return mask_of(&now);
}

static unsigned long blocked_here(void) {
  sigset_t now;
  unsigned long blocked = 0;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  memcpy(&blocked, &now, sizeof blocked);
  return blocked;
}

void read_expectations(void) {
  syscall(SYS_sched_getaffinity, 0, sizeof g_allowed, &g_allowed);
  char *text = getenv("STRESS_PLAN");
  if (text == NULL) return;
  g_plan.outer = (int)strtol(text, &text, 10);
  g_plan.inner = (int)strtol(text, &text, 10);
  for (int i = 0; i < g_plan.outer * g_plan.inner && i < kPlanned; ++i) {
    g_plan.masks[i] = strtoul(text, &text, 16);
  }
}

struct region {
  const struct primary *primary;
  int size;
  int victim; /* the thread that cancels the region, or -1 */
  int tasks;
  int deeper;            /* size of the team at the next level, or 0 */
  unsigned long blocked; /* signals that the primary thread blocks */
  _Atomic unsigned seen;
  _Atomic int done;
  _Atomic uint64_t digest;
};

static void check_place(struct region *region, int number, int below) {
  const struct primary *primary = region->primary;
  const unsigned long mask = mask_here();
  const unsigned long allowed = mask_of(&g_allowed);
  if (primary->is_apart) {
    if (mask != allowed) wrong("mask of a thread apart", (long)mask, (long)allowed);
    return;
  }
  if (mask == 0 || (mask & ~allowed) != 0) wrong("mask", (long)mask, (long)allowed);
  if (below < 0 && primary->outer_size == g_plan.outer && region->size == g_plan.inner) {
    const unsigned long planned = g_plan.masks[primary->outer * g_plan.inner + number];
    if (mask != planned) wrong("mask of a planned thread", (long)mask, (long)planned);
  }
  const uint64_t place = (uint64_t)primary->outer << 32 | (uint64_t)primary->outer_size << 24 |
                         (uint64_t)number << 16 | (uint64_t)region->size << 8 |
                         (uint64_t)(below + 1);
  atomic_fetch_add(&region->digest, mixed(mixed(place) + mask));
}

static void check_member(struct region *region, int number, int below) {
  const unsigned long blocked = blocked_here();
  if (blocked != region->blocked) wrong("blocked signals", (long)blocked, (long)region->blocked);
  check_place(region, number, below);
}

static void fork_deeper(struct region *region, int number) {
  int members = 0;
#pragma omp parallel num_threads(region->deeper) reduction(+ : members)
  {
    check_member(region, number, omp_get_thread_num());
    members += 1;
  }
  if (members != region->deeper) wrong("members at the third level", members, region->deeper);
  atomic_fetch_add(&g_regions, 1);
}

static void make_tasks(struct region *region) {
#pragma omp single
  for (int i = 0; i < region->tasks; ++i) {
#pragma omp task
    atomic_fetch_add(&region->done, 1);
  }
}

static void be_member(struct region *region) {
  const int number = omp_get_thread_num();
  check_member(region, number, -1);
  atomic_fetch_or(&region->seen, 1U << number);
  if (region->deeper > 0) fork_deeper(region, number);
  if (region->tasks > 0) make_tasks(region);
}

static void fork_cancelled(struct region *region) {
#pragma omp parallel num_threads(region->size)
  {
    be_member(region);
#pragma omp cancel parallel if (omp_get_thread_num() == region->victim)
    for (int i = 0; i < 3; ++i) {
#pragma omp cancellation point parallel
#pragma omp barrier
    }
  }
}

static void fork_whole(struct region *region) {
#pragma omp parallel num_threads(region->size)
  be_member(region);
}

static void count_region(struct primary *primary, struct region *region) {
  const unsigned all = (1U << region->size) - 1;
  if (region->seen != all) wrong("members", region->seen, all);
  if (region->done != region->tasks) wrong("tasks", region->done, region->tasks);
  primary->digest += region->digest;
  primary->regions += 1;
  atomic_fetch_add(&g_regions, 1);
}

void fork_plain(struct primary *primary, int size) {
  struct region region = {.primary = primary, .size = size, .victim = -1};
  region.blocked = blocked_here();
  fork_whole(&region);
  count_region(primary, &region);
}

void fork_random(struct primary *primary, int most) {
  uint64_t *state = &primary->state;
  struct region region = {.primary = primary, .size = random_size(state, most), .victim = -1};
  if (one_in(state, 16)) region.tasks = random_size(state, kTasks);
  if (one_in(state, 32)) region.deeper = random_size(state, 3);
  const bool is_cancelled = one_in(state, 16) && omp_get_cancellation();
  if (is_cancelled) {
    region.victim = random_size(state, region.size) - 1;
    /* libgomp 12 hangs if a team is cancelled and a member has not yet left a plain barrier. */
    region.tasks = 0;
  }
  if (one_in(state, 32)) change_mask(state);
  region.blocked = blocked_here();
  if (is_cancelled) {
    fork_cancelled(&region);
  } else {
    fork_whole(&region);
  }
  if (blocked_here() != region.blocked) {
    wrong("the master's blocked signals", (long)blocked_here(), (long)region.blocked);
  }
  count_region(primary, &region);
}
