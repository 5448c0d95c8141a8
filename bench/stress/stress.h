/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of the stress test. */
#ifndef BENCH_STRESS_STRESS_H
#define BENCH_STRESS_STRESS_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread that forks inner regions: a member of an outer team. */
struct primary {
  uint64_t state; /* state of the thread's random number generator */
  int outer;      /* the thread's number in the outer team */
  int outer_size;
  bool is_apart;   /* not forked by the owner, so its teams are unbound */
  uint64_t digest; /* the sum of its members' masks; only for the owner's teams */
  long regions;
};

uint64_t next_random(uint64_t *state);
int random_size(uint64_t *state, int most);
bool one_in(uint64_t *state, int many);

void wrong(const char *what, long got, long expected);
long wrong_count(void);

/* Reads the processors that the process may use, and the plan in the variable STRESS_PLAN. */
void read_expectations(void);

/* The primary thread calls this function. */
void fork_random(struct primary *primary, int most);
void fork_plain(struct primary *primary, int size);

void begin_signals(void);
void change_mask(uint64_t *state);
/* Sends the process a signal that all threads block, and waits for it. The caller must get the
 * signal. */
void wait_for_blocked_signal(void);
long signals_taken(void);

extern _Atomic long g_regions;

#endif
