/* SPDX-License-Identifier: BSD-3-Clause */
/* idle WHAT...: what a program could notice while inner workers wait for the next region. For each
 * WHAT prints "WHAT good", or prints what is wrong.
 *
 * IDLE_PLUGIN: the path of libplugin_library.so, for checks that close libraries. IDLE_KEPT is set
 * if workers are kept. Without IDLE_KEPT, workers end with their region, and the checks wait for
 * their end. The checks of limits must be first, because they need a fork before the first region.
 * "ids" and "pause" must be last. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "checks.h"
#include "creations.h"
#include "kernel_threads.h"

enum { kRounds = 5, kManyRounds = 30, kSome = 20 };

static void settle(long threads) {
  if (getenv("IDLE_KEPT") == NULL && !threads_become(threads, kSome)) say("threads do not end");
}

static void mask_signal(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(how, &set, NULL);
}

/* A signal that all threads block stays pending until a thread waits for it. */
static bool signals(void) {
  for (int round = 0; round < kRounds; ++round) {
    if (fork_teams(1, 2) != 2) return false;
    settle(1);
    mask_signal(SIG_BLOCK);
    kill(getpid(), SIGUSR1);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    int got = 0;
    if (sigwait(&set, &got) != 0 || got != SIGUSR1) return false;
    int blocked = 0;
#pragma omp parallel num_threads(1) reduction(+ : blocked)
#pragma omp parallel num_threads(2) reduction(+ : blocked)
    {
      sigset_t mine;
      pthread_sigmask(SIG_BLOCK, NULL, &mine);
      blocked += sigismember(&mine, SIGUSR1) == 1 && sigismember(&mine, SIGUSR2) == 0 ? 1 : 0;
    }
    if (blocked != 2) return false;
    settle(1);
    mask_signal(SIG_UNBLOCK);
  }
  return true;
}

/* The C library sends an internal signal to each thread to change user IDs. */
static bool ids(void) {
  fork_teams(2, 3);
  usleep(100000);
  if (setresuid(getuid(), geteuid(), geteuid()) != 0) return false;
  return fork_teams(2, 3) == 6;
}

static bool everything_fits(void) {
  bool good = true;
  for (size_t i = 0; i < sizeof kWays / sizeof kWays[0]; ++i) {
    if (fork_teams(2, 3) != 6) return false;
    settle(2);
    if (kWays[i].create()) continue;
    say("no room for %s", kWays[i].name);
    good = false;
  }
  return good;
}

/* The limit on threads is too low for two inner teams at the same time. So the threads of one team
 * must end before the next team begins. They must end quickly. */
static bool turns_fit(void) {
  int members = 0;
  for (int round = 0; round < kManyRounds; ++round) {
    settle(2);
#pragma omp parallel num_threads(2) reduction(+ : members)
    if (omp_get_thread_num() == round % 2) {
#pragma omp parallel num_threads(5) reduction(+ : members)
      members += 1;
    }
  }
  return members == kManyRounds * 5;
}

/* The child has a new user ID, and may have `threads` threads. */
static bool with_limit(rlim_t threads, bool (*check)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    uid_t user = 1000000 + (uid_t)getpid();
    if (setresuid(user, user, user) != 0) {
      fprintf(stderr, "not run: only root can become another user\n");
      _exit(0);
    }
    const struct rlimit limit = {threads, threads};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0) _exit(2);
    bool good = check();
    fflush(stdout);
    _exit(good ? 0 : 1);
  }
  return ended_well(child);
}

/* "fits" is for a process that already has the limit. */
static bool fits(void) { return everything_fits(); }
static bool limit(void) { return with_limit(6, everything_fits); }
static bool turns(void) { return with_limit(6, turns_fit); }

/* The limit allows six more stacks of 64 MB (OMP_STACKSIZE). Workers must leave half of this memory
 * to the program. */
static bool memory(void) {
  const char *stack = getenv("OMP_STACKSIZE");
  if (stack == NULL || strcmp(stack, "64M") != 0) return false;
  if (fork_teams(1, 2) != 2) return false;
  settle(1);
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  const struct rlimit before = limit;
  limit.rlim_cur = (rlim_t)status_of("VmSize") * 1024 + (400 << 20);
  if (setrlimit(RLIMIT_AS, &limit) != 0 || fork_teams(1, 6) != 6) return false;
  settle(1);
  bool is_there = false;
  for (int waits = 0; !is_there && waits < 50; ++waits) {
    usleep(100000);
    if (!by_pthread()) return false; /* the C library frees its cached stacks */
    void *memory =
        mmap(NULL, 180 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    is_there = memory != MAP_FAILED;
    if (is_there) munmap(memory, 180 << 20);
  }
  setrlimit(RLIMIT_AS, &before);
  return is_there;
}

static const char *plugin(void) {
  const char *name = getenv("IDLE_PLUGIN");
  return name == NULL ? "" : name;
}

typedef void Use(int *counter);

static Use *used_by(void *library, const char *name) { return (Use *)dlsym(library, name); }

static bool is_loaded(void) {
  void *library = dlopen(plugin(), RTLD_NOW | RTLD_NOLOAD);
  if (library != NULL) dlclose(library);
  return library != NULL;
}

static int g_destroyed;

static int destroyed(void) { return __atomic_load_n(&g_destroyed, __ATOMIC_SEQ_CST); }

/* A library is unloaded after the inner workers' thread_local data are destroyed. */
static bool unload(void) {
  for (int round = 0; round < kRounds; ++round) {
    g_destroyed = 0;
    void *library = dlopen(plugin(), RTLD_NOW);
    Use *use = library == NULL ? NULL : used_by(library, "plugin_use");
    if (use == NULL) return false;
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() > 0) use(&g_destroyed);
    settle(1);
    dlclose(library);
    if (destroyed() != 4) say("%d of 4 destructors have run", destroyed());
    if (destroyed() != 4 || is_loaded()) return false;
  }
  return true;
}

/* One inner thread closes the library while other threads use it. */
static bool unload_inside(void) {
  void *library = dlopen(plugin(), RTLD_NOW);
  void *again = dlopen(plugin(), RTLD_NOW);
  Use *use = library == NULL ? NULL : used_by(library, "plugin_use_key");
  if (use == NULL) return false;
  g_destroyed = 0;
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() > 0) use(&g_destroyed);
#pragma omp barrier
    if (omp_get_thread_num() == 1) dlclose(library);
  }
  for (int tries = 0; tries < 200 && destroyed() != 2; ++tries) usleep(10000);
  settle(1);
  dlclose(again);
  return destroyed() == 2 && !is_loaded();
}

static void *g_closed_late;

static void close_late(void *unused) {
  (void)unused;
  dlclose(g_closed_late);
}

static bool unload_by_destructor(void) {
  static pthread_key_t key;
  void *library = dlopen(plugin(), RTLD_NOW);
  g_closed_late = dlopen(plugin(), RTLD_NOW);
  if (library == NULL || pthread_key_create(&key, close_late) != 0) return false;
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() > 0) pthread_setspecific(key, &key);
  settle(1);
  dlclose(library);
  return !is_loaded();
}

static bool pause_hard(void) {
  if (fork_teams(2, 3) != 6) return false;
  omp_pause_resource_all(omp_pause_hard);
  if (!threads_become(1, 2)) {
    say("%ld threads are left", status_of("Threads"));
    return false;
  }
  if (unshare(CLONE_NEWUSER) != 0 && errno == EINVAL) return false;
  return fork_teams(2, 3) == 6;
}

static bool spin(void) {
  if (fork_teams(1, 2) != 2) return false;
  return threads_become(1, 12) && fork_teams(1, 2) == 2;
}

/* The process must end with the program's last thread, and must not wait for idle workers. */
static bool initial_ends(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (fork_teams(1, 2) != 2) _exit(1);
    alarm(3);
    pthread_exit(NULL);
  }
  return ended_well(child);
}

static const struct check kChecks[] = {
    {"limit", limit},
    {"turns", turns},
    {"fits", fits},
    {"signals", signals},
    {"memory", memory},
    {"unload", unload},
    {"unload-inside", unload_inside},
    {"unload-by-destructor", unload_by_destructor},
    {"spin", spin},
    {"ids", ids},
    {"pause", pause_hard},
    {"initial", initial_ends},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  omp_set_max_active_levels(3);
  return run_checks(kChecks, argc, argv);
}
