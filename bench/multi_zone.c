/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight by eight zones of unequal size, as in the benchmark BT-MZ. The largest zone is twenty times
 * as large as the smallest one. A five-point stencil runs over all zones.
 *
 *   multi_zone fixed|balanced|following TEAMS THREADS STEPS [SMALLEST]
 *
 *   fixed       all teams have the same number of zones
 *   balanced    in the first half of the steps, nestbind_balance() moves zones between teams
 *   following   as "balanced", but nestbind_memory_spread() moves the memory of a moved zone, too
 *
 * SMALLEST is the edge of the smallest zone, in cells. The printed sum of all cells must be the
 * same in all runs. The access counter counts the second half of the steps. */
#define _GNU_SOURCE
#include <math.h>
#include <nestbind/balance.h>
#include <nestbind/memory.h>
#include <nestbind/topology.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "timed_part.h"

enum { kSide = 8, kZones = kSide * kSide, kMostTeams = kZones, kMostSteps = 100000 };
enum { kRows = 8 }; /* rows of a strip; a zone's last strip may have fewer */
enum { kMostNeighbours = 4 };
enum { kMeasured = 32 }; /* how many of the first steps are measured, for the loads */

struct zone {
  int width, height, strips;
  int neighbour[kMostNeighbours]; /* west, east, north, south; -1: the outer edge */
  double *cells[2];               /* for even and odd steps; they share no page */
  size_t bytes;                   /* of each of the two arrays */
  double *seconds;                /* the smallest measured time of each strip */
};

struct strip {
  int zone, number;
};

struct team {
  int strips;
  struct strip *strip;
  int slot;  /* the slot of the team's primary thread; -1: not known */
  int node;  /* the slot's node; -1: not known */
  long work; /* cells of the last step */
};

static struct zone zones[kZones];
static struct team teams[kMostTeams];
static int team_of_zone[kZones], home[kZones], is_to_follow[kZones];
static long work_of_thread[kMostTeams][1024];
static double *memory;
static size_t memory_cells;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Edges in geometric progression: the largest area is 20 times the smallest. */
static int edge(int number, int smallest) {
  return (int)lround(smallest * pow(20, 0.5 * number / (kSide - 1)));
}

static void make_zones(int smallest) {
  for (int z = 0; z < kZones; ++z) {
    struct zone *zone = &zones[z];
    const int x = z % kSide, y = z / kSide;
    zone->width = edge(x, smallest);
    zone->height = edge(y, smallest);
    zone->strips = (zone->height + kRows - 1) / kRows;
    zone->neighbour[0] = x > 0 ? z - 1 : -1;
    zone->neighbour[1] = x + 1 < kSide ? z + 1 : -1;
    zone->neighbour[2] = y > 0 ? z - kSide : -1;
    zone->neighbour[3] = y + 1 < kSide ? z + kSide : -1;
    zone->seconds = calloc((size_t)zone->strips, sizeof *zone->seconds);
    if (!zone->seconds) exit(3);
    memory_cells += 2 * (size_t)zone->width * (size_t)zone->height + 1024;
  }
  /* A page is on one node, so each zone begins at a new page. */
  const size_t kPage = 4096, cells = kPage / sizeof *memory;
  memory_cells += kZones * 4 * cells;
  memory = aligned_alloc(kPage, (memory_cells * sizeof *memory + kPage - 1) / kPage * kPage);
  if (!memory) exit(3);
  /* No huge pages: a huge page is on one node, even if several threads use parts of it. */
  if (madvise(memory, memory_cells * sizeof *memory, MADV_NOHUGEPAGE) != 0) perror("madvise");
  size_t at = 0;
  for (int z = 0; z < kZones; ++z) {
    zones[z].bytes = ((size_t)zones[z].width * (size_t)zones[z].height + cells - 1) / cells * kPage;
    for (int which = 0; which < 2; ++which) {
      zones[z].cells[which] = memory + at;
      at += zones[z].bytes / sizeof *memory;
    }
  }
}

static void give_strips(int count) {
  for (int t = 0; t < count; ++t) teams[t].strips = 0;
  for (int z = 0; z < kZones; ++z) {
    struct team *team = &teams[team_of_zone[z]];
    for (int number = 0; number < zones[z].strips; ++number) {
      team->strip[team->strips++] = (struct strip){z, number};
    }
  }
}

static void touch_first(struct strip strip) {
  struct zone *zone = &zones[strip.zone];
  const long begin = (long)strip.number * kRows * zone->width;
  long end = begin + (long)kRows * zone->width;
  if (end > (long)zone->height * zone->width) end = (long)zone->height * zone->width;
  for (long i = begin; i < end; ++i) {
    zone->cells[0][i] = (double)((i * 7 + strip.zone) % 11);
    zone->cells[1][i] = 0;
  }
}

/* `north` and `south` are the adjacent rows, or null at the outer edge. */
static void compute_row(double *to, const double *from, const double *north, const double *south,
                        double west, double east, int width) {
  for (int i = 0; i < width; ++i) {
    const double left = i > 0 ? from[i - 1] : west, right = i + 1 < width ? from[i + 1] : east;
    const double up = north ? north[i] : 0, down = south ? south[i] : 0;
    to[i] = 0.2 * (from[i] + left + right + up + down);
  }
}

/* Zone z is a neighbour in the west or in the east. Returns the cell of z at the common edge, or 0
 * if z is negative. */
static double beside(int z, int step, int row, int is_west) {
  if (z < 0) return 0;
  const struct zone *zone = &zones[z];
  return zone->cells[step % 2][(long)row * zone->width + (is_west ? zone->width - 1 : 0)];
}

static long compute(struct strip strip, int step) {
  const struct zone *zone = &zones[strip.zone];
  const double *from = zone->cells[step % 2];
  double *to = zone->cells[1 - step % 2];
  const int begin = strip.number * kRows, w = zone->width;
  const int end = begin + kRows < zone->height ? begin + kRows : zone->height;
  for (int row = begin; row < end; ++row) {
    const double *north = NULL, *south = NULL;
    if (row > 0) {
      north = from + (long)(row - 1) * w;
    } else if (zone->neighbour[2] >= 0) {
      const struct zone *other = &zones[zone->neighbour[2]];
      north = other->cells[step % 2] + (long)(other->height - 1) * w;
    }
    if (row + 1 < zone->height) {
      south = from + (long)(row + 1) * w;
    } else if (zone->neighbour[3] >= 0) {
      south = zones[zone->neighbour[3]].cells[step % 2];
    }
    compute_row(to + (long)row * w, from + (long)row * w, north, south,
                beside(zone->neighbour[0], step, row, 1), beside(zone->neighbour[1], step, row, 0),
                w);
  }
  return (long)(end - begin) * w;
}

static long compute_and_measure(struct strip strip, int step) {
  double *least = &zones[strip.zone].seconds[strip.number];
  const double begin = now();
  const long cells = compute(strip, step);
  const double time = now() - begin;
  if (*least == 0 || time < *least) *least = time;
  return cells;
}

static void step_of_team(int t, int threads, int step, int is_measured) {
  struct team *team = &teams[t];
#pragma omp parallel num_threads(threads)
  {
    long work = 0;
#pragma omp for schedule(runtime)
    for (int i = 0; i < team->strips; ++i) {
      work +=
          is_measured ? compute_and_measure(team->strip[i], step) : compute(team->strip[i], step);
    }
    work_of_thread[t][omp_get_thread_num()] = work;
  }
}

/* Each primary thread calls this function. */
static void begin_team(int t, int threads) {
  struct team *team = &teams[t];
  struct nestbind_place place;
  team->slot = nestbind_get_slot();
  team->node = team->slot >= 0 && nestbind_place_of_slot(team->slot, &place) == NESTBIND_OK
                   ? place.numa
                   : -1;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int i = 0; i < team->strips; ++i) touch_first(team->strip[i]);
  for (int z = 0; z < kZones; ++z) {
    if (team_of_zone[z] == t) home[z] = team->node;
  }
}

/* The team's primary thread calls this function. */
static void fetch_zones(int t) {
  for (int z = 0; z < kZones; ++z) {
    if (team_of_zone[z] != t || !is_to_follow[z]) continue;
    for (int which = 0; which < 2; ++which) {
      const int error =
          nestbind_memory_spread(zones[z].cells[which], zones[z].bytes, NESTBIND_LOCAL);
      if (error != NESTBIND_OK) {
        fprintf(stderr, "nestbind_memory_spread: %s\n", nestbind_strerror(error));
        exit(1);
      }
    }
    home[z] = teams[t].node;
    is_to_follow[z] = 0;
  }
}

/* Returns how many zones moved. The nodes are ignored if the slots of the teams are not known. */
static int balance(int count, int follows) {
  double load[kZones] = {0}, sent[kZones * kMostNeighbours], cells[kZones];
  int first[kZones + 1] = {0}, other[kZones * kMostNeighbours], place[kZones], slot[kMostTeams],
                     node[kMostTeams] = {0};
  int messages = 0, has_slots = 1;
  for (int z = 0; z < kZones; ++z) {
    for (int i = 0; i < zones[z].strips; ++i) load[z] += zones[z].seconds[i];
    for (int i = 0; i < kMostNeighbours; ++i) {
      if (zones[z].neighbour[i] < 0) continue;
      sent[messages] = i < 2 ? zones[z].height : zones[z].width;
      other[messages++] = zones[z].neighbour[i];
    }
    cells[z] = (double)zones[z].width * zones[z].height;
    first[z + 1] = messages;
  }
  for (int t = 0; t < count; ++t) {
    slot[t] = teams[t].slot;
    has_slots = has_slots && slot[t] >= 0;
  }
  for (int z = 0; z < kZones; ++z) place[z] = has_slots ? slot[team_of_zone[z]] : team_of_zone[z];
  const struct nestbind_objects objects = {.count = kZones,
                                           .load = load,
                                           .first = first,
                                           .other = other,
                                           .messages = sent,
                                           .home = has_slots ? home : NULL,
                                           .home_messages = cells};
  const struct nestbind_balance_machine alike = {.slots = count, .nodes = 1, .node = node};
  const struct nestbind_balance_options on_slots = {.slots = count, .slot = slot},
                                        on_any = {.machine = &alike};
  const int moved = nestbind_balance(&objects, has_slots ? &on_slots : &on_any, place);
  if (moved < 0) {
    fprintf(stderr, "nestbind_balance: %s\n", nestbind_strerror(-moved));
    exit(1);
  }
  for (int z = 0; z < kZones; ++z) {
    for (int t = 0; t < count; ++t) {
      if (place[z] != (has_slots ? slot[t] : t) || team_of_zone[z] == t) continue;
      team_of_zone[z] = t;
      is_to_follow[z] = follows;
    }
  }
  give_strips(count);
  return moved;
}

static int ascending(const void *one, const void *other) {
  const double x = *(const double *)one, y = *(const double *)other;
  return (x > y) - (x < y);
}

static double largest_over_mean(int count, int threads, int of_teams) {
  long all = 0, largest = 0;
  for (int t = 0; t < count; ++t) {
    long team = 0;
    for (int thread = 0; thread < threads; ++thread) {
      const long own = work_of_thread[t][thread];
      team += own;
      if (!of_teams && own > largest) largest = own;
    }
    if (of_teams && team > largest) largest = team;
    all += team;
  }
  return (double)largest * (of_teams ? count : count * threads) / (double)all;
}

int main(int argc, char **argv) {
  const int count = argc > 2 ? atoi(argv[2]) : 0, threads = argc > 3 ? atoi(argv[3]) : 0;
  const int steps = argc > 4 ? atoi(argv[4]) : 0, smallest = argc > 5 ? atoi(argv[5]) : 64;
  const int follows = argc > 1 && strcmp(argv[1], "following") == 0;
  const int balances = follows || (argc > 1 && strcmp(argv[1], "balanced") == 0);
  if ((!balances && (argc < 2 || strcmp(argv[1], "fixed") != 0)) || count < 1 ||
      count > kMostTeams || threads < 1 || threads > 1024 || steps < 2 || steps > kMostSteps ||
      smallest < 4 || smallest > 4096) {
    fprintf(stderr, "usage: %s fixed|balanced|following TEAMS THREADS STEPS [SMALLEST]\n", argv[0]);
    return 2;
  }
  static double times[kMostSteps];
  int all_strips = 0, moved = 0;
  omp_set_max_active_levels(2);
  make_zones(smallest);
  for (int z = 0; z < kZones; ++z) {
    all_strips += zones[z].strips;
    team_of_zone[z] = z * count / kZones;
  }
  for (int t = 0; t < count; ++t) {
    teams[t].strip = malloc((size_t)all_strips * sizeof *teams[t].strip);
    if (!teams[t].strip) return 3;
  }
  give_strips(count);
#pragma omp parallel num_threads(count)
  {
    const int t = omp_get_thread_num();
    double begin = 0;
    begin_team(t, threads);
#pragma omp barrier
    for (int step = 0; step < steps; ++step) {
      /* True after step 2, 4, 8 and so on. */
      const int is_look = balances && step > 0 && ((step + 1) & step) == 0 && step < steps / 2;
      const int is_measured = is_look || (balances && step < kMeasured && step < steps / 2);
#pragma omp master
      {
        if (step == 0) timed_part_array(memory, memory_cells * sizeof *memory);
        if (step == steps / 2) timed_part_begin();
        begin = now();
      }
#pragma omp barrier
      step_of_team(t, threads, step, is_measured);
#pragma omp barrier
#pragma omp master
      {
        times[step] = now() - begin;
        if (step + 1 == steps) timed_part_end();
        if (is_look) moved += balance(count, follows);
      }
#pragma omp barrier
      if (is_look && follows) fetch_zones(t);
#pragma omp barrier
    }
  }
  double sum = 0;
  for (int z = 0; z < kZones; ++z) {
    for (long i = 0; i < (long)zones[z].width * zones[z].height; ++i)
      sum += zones[z].cells[steps % 2][i];
  }
  const int half = steps - steps / 2;
  qsort(times + steps / 2, (size_t)half, sizeof *times, ascending);
  printf("p10_us,median_us,zones_moved,teams,threads,sum\n%.1f,%.1f,%d,%.3f,%.3f,%.17g\n",
         1e6 * times[steps / 2 + half / 10], 1e6 * times[steps / 2 + half / 2], moved,
         largest_over_mean(count, threads, 1), largest_over_mean(count, threads, 0), sum);
  return 0;
}
