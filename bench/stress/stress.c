/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs random episodes, until the process has had enough inner regions.
 *
 *   stress REGIONS SEED [EPISODES]
 *
 * EPISODES are letters of do_episode(). A repeated letter makes an episode more frequent. If they
 * contain 1, s or l, outer teams have one member. If they contain 2, inner teams have at most two
 * members.
 *
 * Prints at the end
 *
 *   done REGIONS digest SUM wrong COUNT signals COUNT
 *
 * SUM is a checksum of all masks in teams of the initial thread. For the same SEED, kept workers
 * and new workers must have the same SUM. */
#define _GNU_SOURCE
#include "stress.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  kMostInner = 4,
  kMostOuter = 3,
  kForks = 400,
  kPlainForks = 4000,
  kFewForks = 20,
  kPatience = 60
};

struct stress {
  uint64_t state;
  uint64_t digest;
  long planned; /* regions of the owner; the run ends after REGIONS of them */
  bool is_alone;
  int inner;
};

static long fork_outer(struct stress *stress, uint64_t seed, int outer, int forks, bool is_apart) {
  long regions = 0;
  uint64_t digest = 0;
#pragma omp parallel num_threads(outer) reduction(+ : regions, digest)
  {
    struct primary primary = {.outer = omp_get_thread_num(), .outer_size = outer};
    primary.state = seed + ((uint64_t)primary.outer << 32);
    primary.is_apart = is_apart;
    const int many = random_size(&primary.state, forks);
    for (int i = 0; i < many; ++i) fork_random(&primary, stress->inner);
    regions += primary.regions;
    digest += primary.digest;
  }
  if (!is_apart) stress->digest += digest;
  return regions;
}

static void do_teams(struct stress *stress) {
  const int outer = stress->is_alone ? 1 : random_size(&stress->state, kMostOuter);
  const uint64_t seed = next_random(&stress->state);
  stress->planned += fork_outer(stress, seed, outer, kForks, false);
}

static void do_plain(struct stress *stress) {
  const int outer = stress->is_alone ? 1 : random_size(&stress->state, kMostOuter);
  const int inner = random_size(&stress->state, stress->inner);
  const int forks = random_size(&stress->state, kPlainForks);
  uint64_t digest = 0;
#pragma omp parallel num_threads(outer) reduction(+ : digest)
  {
    struct primary primary = {.outer = omp_get_thread_num(), .outer_size = outer};
    for (int i = 0; i < forks; ++i) fork_plain(&primary, inner);
    digest += primary.digest;
  }
  stress->digest += digest;
  stress->planned += (long)outer * forks;
}

struct root {
  struct stress *stress;
  uint64_t seed;
  _Atomic int has_forked;
  bool is_endless;
};

static void *be_root(void *given) {
  struct root *root = given;
  uint64_t state = root->seed;
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  do {
    const int outer = random_size(&state, 2);
    fork_outer(root->stress, next_random(&state), outer, kFewForks, true);
    atomic_store(&root->has_forked, 1);
    pthread_testcancel();
  } while (root->is_endless);
  return NULL;
}

static void do_apart(struct stress *stress) {
  pthread_t threads[3];
  struct root roots[3];
  const int many = random_size(&stress->state, 3);
  for (int i = 0; i < many; ++i) {
    roots[i] = (struct root){stress, next_random(&stress->state), 0, false};
    if (pthread_create(&threads[i], NULL, be_root, &roots[i]) != 0) wrong("no thread", i, many);
  }
  for (int i = 0; i < many; ++i) pthread_join(threads[i], NULL);
}

/* The thread ends between two of its regions. */
static void do_cancelled(struct stress *stress) {
  pthread_t thread;
  struct root root = {stress, next_random(&stress->state), 0, true};
  const bool at_once = one_in(&stress->state, 4);
  if (pthread_create(&thread, NULL, be_root, &root) != 0) return;
  const struct timespec moment = {0, 100000};
  while (!at_once && atomic_load(&root.has_forked) == 0) nanosleep(&moment, NULL);
  void *result = NULL;
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) wrong("a cancelled thread's result", (long)result, -1);
}

static void do_fork(struct stress *stress) {
  const uint64_t seed = next_random(&stress->state);
  const long before = wrong_count();
  pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    /* The child's outer team has one member. With more members, libgomp waits for threads of the
     * parent. */
    fork_outer(stress, seed, 1, kFewForks, false);
    _exit(wrong_count() == before ? 0 : 1);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0) {
  }
  if (status != 0) wrong("a child's status", status, 0);
}

static void do_library(struct stress *stress) {
  void *library = dlopen(getenv("STRESS_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  long (*use)(int, int) = library == NULL ? NULL : (long (*)(int, int))dlsym(library, "use_teams");
  if (use == NULL) {
    wrong("a library cannot be loaded", 0, 1);
    return;
  }
  const int outer = stress->is_alone ? 1 : random_size(&stress->state, 2);
  const int inner = random_size(&stress->state, kMostInner);
  const long members = use(outer, inner);
  if (members != outer * inner) wrong("members in a library", members, outer * inner);
  atomic_fetch_add(&g_regions, outer);
  dlclose(library);
}

static int threads_now(void) {
  char line[256];
  int threads = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    sscanf(line, "Threads: %d", &threads);
  }
  if (status != NULL) fclose(status);
  return threads;
}

static void *be_nobody(void *unused) { return unused; }

/* The number of threads outside of teams: the initial thread, and the thread that sends signals. */
enum { kOwn = 2 };

/* Without kept workers, workers still exist for a moment after their region. Kept workers do not
 * end, so the function then returns at once. */
static void wait_for_new_threads_to_end(void) {
  if (getenv("LD_PRELOAD") != NULL && getenv("NESTBIND_WORKERS") == NULL) return;
  const struct timespec moment = {0, 1000000};
  for (int i = 0; i < 5000 && threads_now() > kOwn; ++i) nanosleep(&moment, NULL);
}

/* Kept idle workers must not count against the limit. */
static void do_limits(struct stress *stress) {
  wait_for_new_threads_to_end();
  const int size = random_size(&stress->state, kMostInner);
  struct rlimit limit;
  getrlimit(RLIMIT_NPROC, &limit);
  const struct rlimit before = limit;
  limit.rlim_cur = (rlim_t)(kOwn + (size > 1 ? size - 1 : 1));
  setrlimit(RLIMIT_NPROC, &limit);
  if (size > 1) {
    int members = 0;
#pragma omp parallel num_threads(1) reduction(+ : members)
#pragma omp parallel num_threads(size) reduction(+ : members)
    members += 1;
    if (members != size) wrong("members at a limit", members, size);
    atomic_fetch_add(&g_regions, 1);
  } else {
    pthread_t thread;
    int result = pthread_create(&thread, NULL, be_nobody, NULL);
    if (result != 0) wrong("a thread at a limit", result, 0);
    if (result == 0) pthread_join(thread, NULL);
  }
  setrlimit(RLIMIT_NPROC, &before);
}

static void do_episode(struct stress *stress, char which) {
  switch (which) {
    case 'p':
      do_plain(stress);
      break;
    case 'a':
      do_apart(stress);
      break;
    case 'c':
      do_cancelled(stress);
      break;
    case 's':
      wait_for_new_threads_to_end();
      wait_for_blocked_signal();
      break;
    case 'f':
      do_fork(stress);
      break;
    case 'd':
      do_library(stress);
      break;
    case 'l':
      do_limits(stress);
      break;
    default:
      do_teams(stress);
      break;
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("usage: stress REGIONS SEED [EPISODES]\n", stderr);
    return 2;
  }
  const char *episodes = argc > 3 ? argv[3] : "t";
  struct stress stress = {.state = strtoull(argv[2], NULL, 10), .inner = kMostInner};
  stress.is_alone = strpbrk(episodes, "sl1") != NULL;
  if (strchr(episodes, '2') != NULL) stress.inner = 2;
  const long wanted = strtol(argv[1], NULL, 10);
  read_expectations();
  begin_signals();
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  do_teams(&stress); /* the initial thread forks first, so it becomes the owner of the plan */
  while (stress.planned < wanted) {
    do_episode(&stress, episodes[next_random(&stress.state) % strlen(episodes)]);
  }
  printf("done %ld digest %016llx wrong %ld signals %ld\n", atomic_load(&g_regions),
         (unsigned long long)stress.digest, wrong_count(), signals_taken());
  return wrong_count() == 0 ? 0 : 1;
}
