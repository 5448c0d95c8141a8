/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the stress share. */
#ifndef BENCH_STRESS_STRESS_H
#define BENCH_STRESS_STRESS_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* One who forks: a member of an outer team, or a thread of the program's own. */
struct primary {
  uint64_t state;  /* of its random numbers */
  int outer;       /* its number in the outer team */
  int outer_size;  /* of that team */
  bool is_apart;   /* of a root thread beside the owner of the plan: unbound */
  uint64_t digest; /* sum over members of what was seen of them; of the owner's only */
  long regions;
};

uint64_t next_random(uint64_t *state);
/* From 1 to `most`. */
int random_size(uint64_t *state, int most);
bool one_in(uint64_t *state, int many);

/* Something is not as it has to be: said, and counted. */
void wrong(const char *what, long got, long expected);
long wrong_count(void);

/* What the process may use, as it was started, and the plan by `nestbind plan` (STRESS_PLAN). */
void read_expectations(void);

/* One inner region of random size and content, by the primary thread. */
void fork_random(struct primary *primary, int most);
/* One of this size, in which every member is checked. */
void fork_plain(struct primary *primary, int size);

/* Signals at 1 kHz, from a thread of its own that blocks all. */
void begin_signals(void);
/* Blocks or unblocks at random, in the calling thread. */
void change_mask(uint64_t *state);
/* A signal that all threads of the program block, to the process: the caller has to get it. */
void wait_for_blocked_signal(void);
long signals_taken(void);

/* All regions so far. */
extern _Atomic long g_regions;

#endif
