/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the stress test share. */
#ifndef BENCH_STRESS_STRESS_H
#define BENCH_STRESS_STRESS_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A forking thread: a member of an outer team, or a thread of the program's own. */
struct primary {
  uint64_t state;  /* of its random number generator */
  int outer;       /* its number in the outer team */
  int outer_size;  /* of that team */
  bool is_apart;   /* belongs to a root thread that does not own the plan: unbound */
  uint64_t digest; /* sum over what its members had; only for the owner's teams */
  long regions;
};

uint64_t next_random(uint64_t *state);
/* From 1 to `most`. */
int random_size(uint64_t *state, int most);
bool one_in(uint64_t *state, int many);

/* Reports that something is wrong, and counts it. */
void wrong(const char *what, long got, long expected);
long wrong_count(void);

/* Reads the processors that the process may use, and the plan by `nestbind plan` (STRESS_PLAN). */
void read_expectations(void);

/* Forks one inner region of random size and content; called by the primary thread. */
void fork_random(struct primary *primary, int most);
/* Forks a region of this size, in which every member is checked. */
void fork_plain(struct primary *primary, int size);

/* Sends signals at 1 kHz, from a thread of its own that blocks all signals. */
void begin_signals(void);
/* Blocks or unblocks random signals in the calling thread. */
void change_mask(uint64_t *state);
/* Sends the process a signal that all threads block; the caller must receive it. */
void wait_for_blocked_signal(void);
long signals_taken(void);

/* All regions so far. */
extern _Atomic long g_regions;

#endif
