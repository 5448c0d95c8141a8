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
  uint64_t state;  /* state of the thread's random number generator */
  int outer;       /* the thread's number in the outer team */
  int outer_size;  /* the size of the outer team */
  bool is_apart;   /* not forked by the owner, so its teams are unbound */
  uint64_t digest; /* the sum of its members' masks; only for the owner's teams */
  long regions;
};

uint64_t next_random(uint64_t *state);
/* Returns a random number from 1 to `most`. */
int random_size(uint64_t *state, int most);
bool one_in(uint64_t *state, int many);

/* Reports that something is wrong, and counts it. */
void wrong(const char *what, long got, long expected);
long wrong_count(void);

/* Reads the processors that the process may use, and the plan. STRESS_PLAN has the output of
 * `nestbind plan`. */
void read_expectations(void);

/* Forks one inner region of random size and content. Called by the primary thread. */
void fork_random(struct primary *primary, int most);
/* Forks a region of this size, and checks every member. */
void fork_plain(struct primary *primary, int size);

/* Starts a thread that sends signals at 1 kHz. This thread blocks all signals. */
void begin_signals(void);
/* Blocks or unblocks random signals in the calling thread. */
void change_mask(uint64_t *state);
/* Sends the process a signal that all threads block, and waits for it. The caller must get the
 * signal. */
void wait_for_blocked_signal(void);
long signals_taken(void);

/* The number of all regions that have run. */
extern _Atomic long g_regions;

#endif
