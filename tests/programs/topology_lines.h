/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answers of nestbind/topology.h as lines, in C and C++. */
#ifndef NESTBIND_TOPOLOGY_LINES_H
#define NESTBIND_TOPOLOGY_LINES_H

#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "nestbind/topology.h"

/* Weak, because the library may be preloaded, and not linked. */
#pragma weak nestbind_topology_slots
#pragma weak nestbind_topology_dims
#pragma weak nestbind_topology_coordinates
#pragma weak nestbind_topology_slot
#pragma weak nestbind_topology_hops
#pragma weak nestbind_topology_levels
#pragma weak nestbind_topology_distance
#pragma weak nestbind_topology_numa_factor
#pragma weak nestbind_topology_sort
#pragma weak nestbind_topology_closest
#pragma weak nestbind_get_slot
#pragma weak nestbind_slot_of_path
#pragma weak nestbind_place_of_slot

enum { kMostNumbers = 8 };

static inline void print_numbers(const char *what, const int *numbers, int count) {
  char line[256];
  int length = snprintf(line, sizeof line, "%s", what);
  for (int i = 0; i < count && i < kMostNumbers; ++i) {
    length += snprintf(line + length, sizeof line - (size_t)length, " %d", numbers[i]);
  }
  puts(line);
}

static inline void print_between(const int *slots) {
  int hops[4], levels[4], distances[4];
  for (int i = 0; i < 4; ++i) {
    hops[i] = nestbind_topology_hops(slots[0], slots[i]);
    levels[i] = nestbind_topology_levels(slots[0], slots[i]);
    distances[i] = (int)nestbind_topology_distance(slots[0], slots[i]);
  }
  print_numbers("hops", hops, 4);
  print_numbers("levels", levels, 4);
  print_numbers("distances", distances, 4);
}

static inline void print_machine(void) {
  int dims[kMostNumbers], coordinates[kMostNumbers], order[4];
  const int there[4] = {0, 4, 8, 12}, wanted[4] = {12, 4, 1, 8}, hole[2] = {1, 4};
  const int count = nestbind_topology_dims(dims, kMostNumbers);
  print_numbers("dims", dims, count);
  print_numbers("coordinates of 6", coordinates,
                nestbind_topology_coordinates(6, coordinates, kMostNumbers));
  printf("slots %d, back %d, hole %d\n", nestbind_topology_slots(),
         nestbind_topology_slot(coordinates, count), nestbind_topology_slot(hole, 2));
  print_between(there);
  printf("factor %.2f, of itself %.2f, of none %.0f\n", nestbind_topology_numa_factor(0, 3),
         nestbind_topology_numa_factor(2, 2), nestbind_topology_numa_factor(0, 9));
  if (nestbind_topology_sort(0, wanted, 4, order) == NESTBIND_OK) print_numbers("order", order, 4);
  printf("closest %d\n", nestbind_topology_closest(0, wanted, 4));
}

static inline void print_place(int slot) {
  struct nestbind_place place;
  const int error = nestbind_place_of_slot(slot, &place);
  if (error != NESTBIND_OK) {
    printf("place of %d: error %d\n", slot, error);
    return;
  }
  char what[64];
  snprintf(what, sizeof what, "place of %d: node %d, core %d, pinned %d, path", slot, place.numa,
           place.core, place.pinned);
  print_numbers(what, place.path, place.level);
}

static inline void print_threads(void) {
#pragma omp parallel
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel
    {
      const int path[2] = {outer, omp_get_thread_num()};
      const int slot = nestbind_get_slot();
      const int of_path = nestbind_slot_of_path(path, 2);
#pragma omp critical
      printf("thread %d.%d: slot %d, of its path %d\n", path[0], path[1], slot, of_path);
    }
  }
}

static inline void print_refused(void) {
  int numbers[2] = {0, 99};
  struct nestbind_place place;
  const int bad[] = {nestbind_topology_dims(NULL, 1),
                     nestbind_topology_dims(numbers, -1),
                     nestbind_topology_coordinates(-1, numbers, 1),
                     nestbind_topology_coordinates(1 << 20, NULL, 0),
                     nestbind_topology_slot(NULL, 2),
                     nestbind_topology_slot(numbers, 2)};
  print_numbers("refused", bad, 6);
  const int more[] = {nestbind_topology_hops(0, -1),
                      nestbind_topology_levels(99, 0),
                      (int)nestbind_topology_distance(0, 99),
                      nestbind_topology_sort(0, numbers, 2, numbers),
                      nestbind_topology_closest(0, numbers, 2),
                      nestbind_topology_closest(0, NULL, 0)};
  print_numbers("refused", more, 6);
  const int rest[] = {
      nestbind_slot_of_path(NULL, 1),     nestbind_slot_of_path(numbers, 2),
      nestbind_slot_of_path(numbers, -1), nestbind_place_of_slot(0, NULL),
      nestbind_place_of_slot(99, &place), nestbind_topology_sort(-1, NULL, 0, NULL)};
  print_numbers("refused", rest, 6);
}

static inline void print_inverse(void) {
  int is_good = nestbind_topology_slots() > 0;
  for (int slot = 0; slot < nestbind_topology_slots(); ++slot) {
    int coordinates[kMostNumbers];
    const int count = nestbind_topology_coordinates(slot, coordinates, kMostNumbers);
    is_good = is_good && count == nestbind_topology_dims(NULL, 0) &&
              nestbind_topology_slot(coordinates, count) == slot &&
              nestbind_topology_hops(slot, slot) == 0;
  }
  printf("inverse %s\n", is_good ? "good" : "WRONG");
}

static inline int print_asked(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "machine") == 0) {
      print_machine();
    } else if (strcmp(argv[i], "places") == 0) {
      for (int slot = 3; slot < 7; ++slot) print_place(slot);
    } else if (strcmp(argv[i], "threads") == 0) {
      print_threads();
    } else if (strcmp(argv[i], "refused") == 0) {
      print_refused();
    } else if (strcmp(argv[i], "inverse") == 0) {
      print_inverse();
    } else if (strcmp(argv[i], "outside") == 0) {
      const int zero = 0;
      printf("outside: slot %d, initial %d, first %d\n", nestbind_get_slot(),
             nestbind_slot_of_path(NULL, 0), nestbind_slot_of_path(&zero, 1));
    } else {
      return 2;
    }
  }
  return 0;
}

#endif
