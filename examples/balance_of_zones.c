/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the same zones of unequal size in every step. It measures the time of each zone, and
 * after some steps it moves zones to better slots.
 *
 *   gcc -O2 -fopenmp balance_of_zones.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o balance_of_zones
 *   OMP_NESTING_TEAM_SIZE=core,compact ./balance_of_zones
 *
 * The thread on the slot of a zone computes the zone. Without a specification no thread has a slot.
 */
#include <nestbind/balance.h>
#include <nestbind/topology.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kZones = 48, kSteps = 32, kLargest = 40000 };

static double *zone[kZones];
static double seconds[kZones]; /* time of each zone in its fastest step */
static int slot_of_zone[kZones], home[kZones];

static int size_of(int z) { return z < 6 ? kLargest : kLargest / 8; }

static void compute(int z) {
  const double begin = omp_get_wtime();
  double time;
  for (int i = 1; i + 1 < size_of(z); ++i) {
    zone[z][i] = 0.5 * zone[z][i] + 0.25 * (zone[z][i - 1] + zone[z][i + 1]);
  }
  time = omp_get_wtime() - begin;
  if (seconds[z] == 0 || time < seconds[z]) {
    seconds[z] = time;
  }
}

/* Allocates the zones of this slot. The calling thread touches the zones first, so their home is
 * the node of this thread. */
static void begin(int slot) {
  struct nestbind_place place;
  nestbind_place_of_slot(slot, &place);
  for (int z = 0; z < kZones; ++z) {
    if (slot_of_zone[z] != slot) {
      continue;
    }
    zone[z] = malloc((size_t)size_of(z) * sizeof(double));
    for (int i = 0; i < size_of(z); ++i) {
      zone[z][i] = i % 7;
    }
    home[z] = place.numa;
  }
}

static void balance(int step, int threads, const int *slots) {
  struct nestbind_objects objects = {0};
  struct nestbind_balance_options options = {0};
  int moved;
  objects.count = kZones;
  objects.load = seconds;
  objects.home = home;
  options.slots = threads;
  options.slot = slots;
  moved = nestbind_balance(&objects, &options, slot_of_zone);
  if (moved < 0) {
    printf("step %d: %s\n", step, nestbind_strerror(-moved));
  } else {
    printf("step %d: %d of %d zones move\n", step, moved, kZones);
  }
}

int main(void) {
  int threads = 0, *slots = NULL;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), slot = nestbind_get_slot();
#pragma omp single
    {
      threads = omp_get_num_threads();
      slots = malloc((size_t)threads * sizeof *slots);
    }
    slots[me] = slot;
#pragma omp barrier
#pragma omp single
    for (int z = 0; z < kZones; ++z) {
      slot_of_zone[z] = slots[z * threads / kZones];
    }
    if (slot >= 0) {
      begin(slot);
    }
#pragma omp barrier
    for (int step = 1; step <= kSteps && slot >= 0; ++step) {
      for (int z = 0; z < kZones; ++z) {
        if (slot_of_zone[z] == slot) {
          compute(z);
        }
      }
#pragma omp barrier
#pragma omp master
      if (step == 4 || step == 8 || step == 16) {
        balance(step, threads, slots);
      }
#pragma omp barrier
    }
  }
  if (slots[0] < 0) {
    printf("no thread has a slot: is a specification in force?\n");
    return 1;
  }
  double sum = 0;
  for (int z = 0; z < kZones; ++z) {
    for (int i = 0; i < size_of(z); ++i) {
      sum += zone[z][i];
    }
    free(zone[z]);
  }
  printf("%d zones, %d steps: %.6f\n", kZones, kSteps, sum);
  free(slots);
  return 0;
}
