/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_teams [CHECK]...: loops in nested teams, in teams of changing size, and in tasks.
 * LOOPS_LIBRARY names a library that is loaded and closed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "loops.h"

enum { kOuter = 4, kInner = 3, kRounds = 12 };

static struct counts g_counts[kMostThreads + 1];

static void loop(struct counts *counts, int n) {
#pragma omp for schedule(runtime)
  for (int i = 0; i < n; ++i) count_iteration(counts, (uint64_t)i);
}

static bool before_main_is_good = true;

__attribute__((constructor)) static void before_main(void) {
#pragma omp parallel num_threads(3)
  for (int n = 0; n < 100; n += 9) {
    loop(&g_counts[0], n);
#pragma omp single
    if (!each_once(&g_counts[0], (uint64_t)n, "constructor")) before_main_is_good = false;
  }
}

static bool constructor_is_right(void) { return before_main_is_good; }

static bool nested_is_right(void) {
  const int *sizes = loop_sizes();
  bool is_good = true;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(kOuter) reduction(&& : is_good)
  for (int round = 0; round < kRounds; ++round) {
    struct counts *own = &g_counts[omp_get_thread_num()];
    const int n = sizes[(round * 3 + omp_get_thread_num()) % kSizes];
#pragma omp parallel num_threads(kInner)
    {
      loop(own, n);
#pragma omp single
      is_good = each_once(own, (uint64_t)n, "nested") && is_good;
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < n; ++i) count_iteration(own, (uint64_t)i);
    }
    is_good = each_once(own, (uint64_t)n, "nested, nowait") && is_good;
    loop(&g_counts[kMostThreads], sizes[round * 3]);
#pragma omp single
    is_good = each_once(&g_counts[kMostThreads], (uint64_t)sizes[round * 3], "outer") && is_good;
  }
  return is_good;
}

/* Only one level may be active, so inner teams have one member. */
static bool serial_is_right(void) {
  bool is_good = true;
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(kOuter) reduction(&& : is_good)
  {
    struct counts *own = &g_counts[omp_get_thread_num()];
#pragma omp parallel num_threads(kInner)
    loop(own, 333);
    is_good = each_once(own, 333, "serial");
    loop(&g_counts[kMostThreads], 444);
  }
  omp_set_max_active_levels(3);
  return each_once(&g_counts[kMostThreads], 444, "around serial") && is_good;
}

static bool sizes_change(void) {
  static const int kTeams[] = {1, 8, 2, 7, 3, 3, 8, 1, 5, 2, 6, 4};
  bool is_good = true;
  for (int i = 0; i < 60; ++i) {
    const int n = loop_sizes()[i * 7 % kSizes];
#pragma omp parallel num_threads(kTeams[i % 12])
    {
      loop(&g_counts[0], n);
#pragma omp for schedule(runtime) nowait
      for (long k = n; k > 0; --k) count_iteration(&g_counts[1], (uint64_t)(n - k));
    }
    is_good = each_once(&g_counts[0], (uint64_t)n, "sizes") && is_good;
    is_good = each_once(&g_counts[1], (uint64_t)n, "sizes, down") && is_good;
  }
  return is_good;
}

static bool sizes_differ(void) {
  bool is_good = true;
#pragma omp parallel num_threads(kOuter) reduction(&& : is_good)
  for (int round = 0; round < kRounds; ++round) {
    const int me = omp_get_thread_num();
#pragma omp parallel num_threads((me + round) % 4 + 1)
    loop(&g_counts[me], 50 * me + round);
    is_good = each_once(&g_counts[me], (uint64_t)(50 * me + round), "different sizes") && is_good;
  }
  return is_good;
}

/* The team gets fewer threads than the program asks for. */
static bool granted_is_right(void) {
  bool is_good = true;
  if (omp_get_thread_limit() > 64) say(" OMP_THREAD_LIMIT is not set");
  for (int dynamic = 0; dynamic < 2; ++dynamic) {
    omp_set_dynamic(dynamic);
    for (int round = 0; round < 5; ++round) {
#pragma omp parallel num_threads(8)
      loop(&g_counts[0], 500);
      is_good = each_once(&g_counts[0], 500, "granted") && is_good;
#pragma omp parallel num_threads(3) reduction(&& : is_good)
      {
        struct counts *own = &g_counts[omp_get_thread_num()];
#pragma omp parallel num_threads(4)
        loop(own, 300);
        is_good = each_once(own, 300, "granted inside") && is_good;
      }
    }
  }
  omp_set_dynamic(0);
  return is_good;
}

static bool tasks_are_right(void) {
  static struct counts counts[16];
  bool is_good = true;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(kOuter)
    {
#pragma omp for schedule(runtime) nowait
      for (int task = 0; task < 16; ++task) {
#pragma omp task
        {
#pragma omp parallel num_threads(2)
          loop(&counts[task], 10 * task);
        }
      }
      loop(&g_counts[0], 100);
    }
    for (int task = 0; task < 16; ++task) {
      is_good = each_once(&counts[task], (uint64_t)(10 * task), "task") && is_good;
    }
    is_good = each_once(&g_counts[0], 100, "around tasks") && is_good;
  }
  return is_good;
}

static bool league_is_right(void) {
  bool is_good = true;
  for (int n = 0; n < 400; n += 57) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(3) schedule(runtime)
    for (int i = 0; i < n; ++i) count_iteration(&g_counts[0], (uint64_t)i);
    is_good = each_once(&g_counts[0], (uint64_t)n, "league") && is_good;
  }
  return is_good;
}

static void *root(void *counts) {
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(3)
    loop((struct counts *)counts + round % 2, 200);
    if (!each_once((struct counts *)counts + round % 2, 200, "root")) return counts;
  }
  return NULL;
}

static bool roots_are_right(void) {
  bool is_good = true;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    if (pthread_create(&threads[i], NULL, root, &g_counts[2 * i]) != 0) abort();
  }
  for (int i = 0; i < 3; ++i) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    is_good = result == NULL && is_good;
  }
  return is_good;
}

/* The library's constructor runs a loop while the loader has its lock. */
static bool library_is_right(void) {
  bool is_good = true;
  for (int round = 0; round < 3; ++round) {
    void *library = dlopen(getenv("LOOPS_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      say(" %s", dlerror());
      return false;
    }
    bool (*loops_of_library)(int threads) = (bool (*)(int))dlsym(library, "loops_of_library");
    is_good = loops_of_library(3) && loops_of_library(4) && is_good;
#pragma omp parallel num_threads(2) reduction(&& : is_good)
    is_good = loops_of_library(omp_get_thread_num() + 1);
    dlclose(library);
  }
  return is_good;
}

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"constructor", constructor_is_right},
      {"nested", nested_is_right},
      {"serial", serial_is_right},
      {"sizes-change", sizes_change},
      {"sizes-differ", sizes_differ},
      {"tasks", tasks_are_right},
      {"league", league_is_right},
      {"roots", roots_are_right},
      {"library", library_is_right},
      {"granted", granted_is_right},
      {NULL, NULL},
  };
  return run_checks(kChecks, argc, argv);
}
