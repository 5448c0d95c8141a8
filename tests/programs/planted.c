// SPDX-License-Identifier: BSD-3-Clause
// planted NAME [SECONDS [MEBIBYTES [SCANS]]]: memory on the wrong or on the right nodes.
//
//   parts    one thread initialises, each thread uses its own part
//   shared   one thread initialises, all threads read the whole array
//   good     each thread initialises what it uses
//   private  each thread allocates, initialises and uses its own memory
//   teams    a thread of one team initialises the array, a thread of another team uses it
//   static   like parts, but the array is static
//   cleared  like parts, but memset initialises the array
//   nested   like parts, but the threads are in two inner teams of two
//
// Runs for SECONDS. With 0 seconds the threads use the memory once. The program ends early if the
// kernel has scanned the memory SCANS times. If FIX is set (none, block, interleave or local),
// nestbind_memory_spread places the array. Then the program also prints how many uses are local,
// and how many are on each thread's node. The exit status is 3.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scans.h"

enum { kThreads = 4, kTeam = 2, kPage = 4096, kMostNodes = 64 };
// A round is short, because threads use only one number of each cache line.
enum { kLine = 64 / sizeof(double) };

static double table[(16L << 20) / sizeof(double)];
static double seconds;
static long count;
static long scans;  // 0 for no limit
static int node_of_thread[kThreads];

__attribute__((weak)) int nestbind_memory_spread(void* p, size_t bytes, int how);

static void fix(void* grid) {
  const char* words[] = {"block", "interleave", "local"};
  const char* wanted = getenv("FIX");
  for (int how = 0; wanted != NULL && how < 3; ++how) {
    if (strcmp(wanted, words[how]) == 0) {
      const int error = nestbind_memory_spread(grid, (size_t)count * sizeof(double), how + 1);
      printf("%s %d ", wanted, error);
    }
  }
}

static void find_node(int thread) {
  unsigned node = 0;
  syscall(SYS_getcpu, NULL, &node, NULL);
  node_of_thread[thread] = (int)node;
}

// `users` threads, from thread `first` on, use the whole array. If `first` is -1, each thread uses
// its own part.
static void tell_pages(const double* grid, int first, int users) {
  const long pages = getenv("FIX") == NULL ? 0 : count * (long)sizeof *grid / kPage;
  long on[kMostNodes] = {0};
  long local = 0;
  for (long i = 0; i < pages; ++i) {
    void* page = (char*)grid + i * kPage;
    int node = -1;
    syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0);
    const int from = first < 0 ? (int)(i * kThreads / pages) : first;
    for (int user = from; node >= 0 && node < kMostNodes && user < from + users; ++user) {
      ++on[node];
      local += node == node_of_thread[user];
    }
  }
  if (pages > 0) {
    printf("uses %ld local %ld on %ld %ld %ld %ld ", pages * users, local, on[node_of_thread[0]],
           on[node_of_thread[1]], on[node_of_thread[2]], on[node_of_thread[3]]);
  }
}

static __attribute__((noinline)) void init_grid(double* grid) {
  for (long i = 0; i < count; ++i) {
    grid[i] = (double)i;  // PLANTED: init_grid
  }
}

static __attribute__((noinline)) void clear_grid(double* grid) {
  memset(grid, 1, (size_t)count * sizeof *grid);  // PLANTED: clear_grid
  grid[count / 2] = 0;
}

static __attribute__((noinline)) void init_parts(double* grid) {
#pragma omp parallel for schedule(static) num_threads(kThreads)
  for (long i = 0; i < count; ++i) {
    grid[i] = (double)i;  // PLANTED: init_parts
  }
}

static int goes_on(double begin) {
  return omp_get_wtime() - begin < seconds && (scans == 0 || scans_so_far() < scans);
}

static void use_parts(double* grid) {
  const double begin = omp_get_wtime();
  do {
#pragma omp parallel for schedule(static) num_threads(kThreads)
    for (long i = 0; i < count; i += kLine) {
      grid[i] += 1;
    }
  } while (goes_on(begin));
#pragma omp parallel num_threads(kThreads)
  find_node(omp_get_thread_num());
}

static void use_nested(double* grid) {
  const double begin = omp_get_wtime();
  do {
#pragma omp parallel num_threads(kTeam)
    {
      const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(kTeam)
      {
        const long part = kTeam * outer + omp_get_thread_num();
        find_node((int)part);
        for (long i = part * count / kThreads; i < (part + 1) * count / kThreads; i += kLine) {
          grid[i] += 1;
        }
      }
    }
  } while (goes_on(begin));
}

static double use_all(const double* grid) {
  const double begin = omp_get_wtime();
  double sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
  do {
    find_node(omp_get_thread_num());
    // Each thread begins at its own part.
    const long first = count / kThreads * omp_get_thread_num();
    for (long i = 0; i < count; i += kLine) {
      sum += grid[(first + i) % count];
    }
  } while (goes_on(begin));
  return sum;
}

static double use_own(void) {
  const double begin = omp_get_wtime();
  double sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
  {
    double* own = malloc((size_t)count * sizeof *own);
    init_grid(own);
    do {
      for (long i = 0; i < count; i += kLine) {
        sum += own[i];
      }
    } while (goes_on(begin));
  }
  return sum;
}

static double use_in_other_team(void) {
  double* volatile grid = NULL;
  double sum = 0;
#pragma omp parallel num_threads(kThreads)
  if (omp_get_thread_num() == 0) {
    grid = malloc((size_t)count * sizeof *grid);
    init_grid(grid);
  }
  const double begin = omp_get_wtime();
#pragma omp parallel num_threads(kThreads)
  find_node(omp_get_thread_num());
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
  if (omp_get_thread_num() == kThreads - 1) {
    fix(grid);
    do {
      for (long i = 0; i < count; i += kLine) {
        sum += grid[i];
      }
    } while (goes_on(begin));
    tell_pages(grid, kThreads - 1, 1);
  }
  return sum;
}

// After a burst of page faults at the start, the kernel samples only a few of the next faults.
// Without this pause, all faults of a thread's own memory could be missed.
static void be_quiet_before(const char* name) {
  const useconds_t kQuiet = 500000;
  if (strcmp(name, "private") == 0 || strcmp(name, "good") == 0) {
    usleep(kQuiet);
  }
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "parts";
  seconds = argc > 2 ? atof(argv[2]) : 0;
  count = (argc > 3 ? atol(argv[3]) : 16) * (1L << 20) / (long)sizeof(double);
  scans = argc > 4 ? atol(argv[4]) : 0;
  double sum = 0;
  omp_set_max_active_levels(2);
  be_quiet_before(name);
  if (strcmp(name, "private") == 0) {
    sum = use_own();
  } else if (strcmp(name, "teams") == 0) {
    sum = use_in_other_team();
  } else {
    const int is_static = strcmp(name, "static") == 0;
    double* grid = is_static ? table : malloc((size_t)count * sizeof *grid);
    count = is_static ? (long)(sizeof table / sizeof *table) : count;
    (strcmp(name, "good") == 0      ? init_parts
     : strcmp(name, "cleared") == 0 ? clear_grid
                                    : init_grid)(grid);
    fix(grid);
    const int is_shared = strcmp(name, "shared") == 0;
    if (is_shared) {
      sum = use_all(grid);
    } else {
      (strcmp(name, "nested") == 0 ? use_nested : use_parts)(grid);
    }
    tell_pages(grid, is_shared ? 0 : -1, is_shared ? kThreads : 1);
    sum += grid[count / 2];
  }
  printf("%s %d\n", name, sum != 0);
  return 3;
}
