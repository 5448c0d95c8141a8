/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the answers of nestbind_balance, in C and C++. */
#ifndef NESTBIND_BALANCE_LINES_H
#define NESTBIND_BALANCE_LINES_H

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "nestbind/balance.h"

/* Weak, because the library may be preloaded, and not linked. */
#pragma weak nestbind_balance

enum { kMostObjects = 10 };

static inline void print_places(const char *what, int moved, const int *place, int count) {
  char line[256];
  int length = snprintf(line, sizeof line, "%s: %d,", what, moved);
  for (int i = 0; i < count; ++i) {
    length += snprintf(line + length, sizeof line - (size_t)length, " %d", place[i]);
  }
  puts(line);
}

/* Ten objects on four nodes of four slots each. */
static const double kHeavyAndLight[kMostObjects] = {100, 100, 100, 100, 100, 100, 100, 100, 1, 0.5};
static const int kHomes[kMostObjects] = {0, 0, 0, 0, 2, 2, 2, 2, 0, 2};
static const int kThere[kMostObjects] = {0, 1, 2, 3, 8, 9, 10, 11, 5, 13};

static inline int balance_homes(int *place) {
  struct nestbind_objects objects;
  struct nestbind_balance_options options;
  memset(&objects, 0, sizeof objects);
  memset(&options, 0, sizeof options);
  objects.count = kMostObjects;
  objects.load = kHeavyAndLight;
  objects.home = kHomes;
  options.alpha = 1;
  options.tolerance = -1;
  memcpy(place, kThere, sizeof kThere);
  return nestbind_balance(&objects, &options, place);
}

static inline void print_homes(void) {
  int place[kMostObjects];
  errno = 77;
  const int moved = balance_homes(place);
  print_places(errno == 77 ? "homes" : "homes, ERRNO", moved, place, kMostObjects);
}

static inline void print_algorithms(void) {
  static const double load[4] = {4, 1, 1, 2};
  static const char *const names[3] = {"numa", "greedy", "refine"};
  struct nestbind_objects objects;
  memset(&objects, 0, sizeof objects);
  objects.count = 4;
  objects.load = load;
  for (int algorithm = NESTBIND_BALANCE_NUMA; algorithm <= NESTBIND_BALANCE_REFINE; ++algorithm) {
    struct nestbind_balance_options options;
    int place[4] = {0, 0, 4, 4};
    memset(&options, 0, sizeof options);
    options.algorithm = algorithm;
    print_places(names[algorithm], nestbind_balance(&objects, &options, place), place, 4);
  }
  int place[4] = {0, 0, 4, 4};
  print_places("default", nestbind_balance(&objects, NULL, place), place, 4);
}

static inline void print_given(void) {
  static const double load[2] = {1, 1}, messages[2] = {10, 10}, factor[4] = {1, 1.5, 9, 1};
  static const int first[3] = {0, 1, 2}, other[2] = {1, 0}, node[2] = {0, 1};
  static const double alphas[2] = {0.039, 0.041};
  struct nestbind_objects objects;
  struct nestbind_balance_machine machine;
  struct nestbind_balance_options options;
  memset(&objects, 0, sizeof objects);
  memset(&options, 0, sizeof options);
  objects.count = 2;
  objects.load = load;
  objects.first = first;
  objects.other = other;
  objects.messages = messages;
  machine.slots = machine.nodes = 2;
  machine.node = node;
  machine.factor = factor;
  options.machine = &machine;
  options.tolerance = -1;
  for (int i = 0; i < 2; ++i) {
    int place[2] = {0, 1};
    options.alpha = alphas[i];
    print_places("given", nestbind_balance(&objects, &options, place), place, 2);
  }
  machine.factor = NULL; /* all factors are 1: 20 alpha < 1, so no object moves */
  int place[2] = {0, 1};
  print_places("given, no factors", nestbind_balance(&objects, &options, place), place, 2);
}

static inline void print_named(void) {
  static const double load[4] = {4, 1, 1, 2};
  static const int masters[4] = {12, 8, 4, 0}, twice[2] = {0, 0}, none[2] = {0, 1 << 20};
  struct nestbind_objects objects;
  struct nestbind_balance_options options;
  int place[4] = {0, 0, 4, 4};
  memset(&objects, 0, sizeof objects);
  memset(&options, 0, sizeof options);
  objects.count = 4;
  objects.load = load;
  options.slots = 4;
  options.slot = masters;
  const int moved = nestbind_balance(&objects, &options, place);
  print_places("named", moved, place, 4);
  options.slots = 3; /* slot 0 has an object, but `slot` does not name slot 0 */
  printf("not named %d", nestbind_balance(&objects, &options, place));
  options.slots = 0;
  printf(" %d", nestbind_balance(&objects, &options, place));
  options.slots = 2;
  options.slot = twice;
  printf(" %d", nestbind_balance(&objects, &options, place));
  options.slot = none;
  printf(" %d", nestbind_balance(&objects, &options, place));
  options.slot = NULL;
  printf(" %d\n", nestbind_balance(&objects, &options, place));
  print_places("still", 0, place, 4);
}

static inline void print_at_once(void) {
  int threads = 0, good = 0;
#pragma omp parallel
#pragma omp parallel reduction(+ : threads, good)
  for (int i = 0; i < 20; ++i) {
    int place[kMostObjects];
    ++threads;
    good += balance_homes(place) == 2;
  }
  printf("at once: %s\n", threads > 0 && good == threads ? "good" : "WRONG");
}

static inline void print_refused_objects(void) {
  static const double load[2] = {1, 2}, bad[2] = {1, -2};
  static const int rising[3] = {0, 1, 2}, falling[3] = {0, 2, 1}, other[2] = {1, 0},
                   none[2] = {1, 2};
  struct nestbind_objects good, objects;
  struct nestbind_balance_options options;
  struct nestbind_balance_machine machine;
  int place[2] = {1, 0}, nowhere[2] = {1, 1 << 20};
  memset(&good, 0, sizeof good);
  memset(&options, 0, sizeof options);
  memset(&machine, 0, sizeof machine);
  good.count = 2;
  good.load = load;
  printf("refused %d", nestbind_balance(NULL, NULL, place));
  printf(" %d", nestbind_balance(&good, NULL, NULL));
  printf(" %d", nestbind_balance(&good, NULL, nowhere));
  objects = good;
  objects.count = -1;
  printf(" %d", nestbind_balance(&objects, NULL, place));
  objects = good;
  objects.load = bad;
  printf(" %d", nestbind_balance(&objects, NULL, place));
  objects = good;
  objects.first = falling;
  objects.other = other;
  printf(" %d", nestbind_balance(&objects, NULL, place));
  objects.first = rising;
  objects.other = none;
  printf(" %d", nestbind_balance(&objects, NULL, place));
  options.algorithm = 3;
  printf(" %d", nestbind_balance(&good, &options, place));
  options.algorithm = 0;
  options.alpha = -1;
  printf(" %d", nestbind_balance(&good, &options, place));
  options.alpha = 0;
  options.machine = &machine;
  printf(" %d", nestbind_balance(&good, &options, place));
  memset(&objects, 0, sizeof objects);
  printf(", nothing %d, places %d %d\n", nestbind_balance(&objects, NULL, NULL), place[0],
         place[1]);
}

static inline int print_balanced(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "homes") == 0) {
      print_homes();
    } else if (strcmp(argv[i], "algorithms") == 0) {
      print_algorithms();
    } else if (strcmp(argv[i], "given") == 0) {
      print_given();
    } else if (strcmp(argv[i], "named") == 0) {
      print_named();
    } else if (strcmp(argv[i], "at-once") == 0) {
      print_at_once();
    } else if (strcmp(argv[i], "refused") == 0) {
      print_refused_objects();
    } else {
      return 2;
    }
  }
  return 0;
}

#endif
