/* SPDX-License-Identifier: BSD-3-Clause */
/* divided MODE COUNT OUTER INNER [LIBRARY]: several threads of the program fork teams at once. A
 * team has OUTER threads, and each forks INNER threads (0 for the default sizes). The "other"
 * thread is a second thread that the program creates.
 *
 *   std, posix  COUNT threads, made by std::thread or pthreads, fork in turn, twice: root0, ...
 *   idle        both threads fork; then the other thread does nothing for COUNT ms
 *   busy        the same, but the other thread is always in a region
 *   ended       the other thread ends after its fork
 *   alone       the first of two new threads ends; then the other forks a team of one thread
 *   set         the other thread sets the specification 2,compact
 *   child       the other thread forks teams. Then a child process forks teams.
 *   many        COUNT threads fork, one after the other; the initial thread forks in between
 *   mask        the other thread binds itself to the last processor of the process
 *   ask         COUNT threads print omp_get_max_threads, and fork
 *   mixed       the other thread forks teams of LIBRARY's runtime
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "show.h"

namespace {

int g_count;
int g_outer;
int g_inner;

void inner(const char *label) {
  if (g_inner == 0) {
#pragma omp parallel
    if (label != nullptr) show(label);
  } else {
#pragma omp parallel num_threads(g_inner)
    if (label != nullptr) show(label);
  }
}

void nested(const char *label) {
  if (g_outer == 0) {
#pragma omp parallel
    inner(label);
  } else {
#pragma omp parallel num_threads(g_outer)
    inner(label);
  }
}

void nap(int milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, nullptr);
}

std::atomic<int> g_step{0};
void in_turn(int step, const std::function<void()> &work) {
  while (g_step != step) nap(1);
  work();
  ++g_step;
}

void worker(int number) {
  const std::string label = "root" + std::to_string(number);
  in_turn(number, [] { nested(nullptr); });
  in_turn(g_count + number, [&] { nested(label.c_str()); });
  while (g_step < 2 * g_count) nap(1);
}

void std_pool() {
  std::vector<std::thread> pool;
  for (int i = 0; i < g_count; ++i) pool.emplace_back(worker, i);
  for (std::thread &thread : pool) thread.join();
}

void posix_pool() {
  std::vector<pthread_t> pool(g_count);
  const auto begin = [](void *number) -> void * {
    worker(static_cast<int>(reinterpret_cast<long>(number)));
    return nullptr;
  };
  for (long i = 0; i < g_count; ++i) {
    if (pthread_create(&pool[i], nullptr, begin, reinterpret_cast<void *>(i)) != 0) abort();
  }
  for (const pthread_t thread : pool) pthread_join(thread, nullptr);
}

void idle() {
  nested("first");
  std::thread other([] {
    in_turn(0, [] { nested("other"); });
    in_turn(2, [] { nested("back"); });
    in_turn(4, [] {});
  });
  in_turn(1, [] {
    nested("both");
    nap(g_count);
    nested("alone");
  });
  in_turn(3, [] { nested("shared"); });
  other.join();
}

void busy() {
  nested("first");
  std::thread other([] {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
      ++g_step;
      while (g_step < 2) nap(1);
    }
  });
  in_turn(1, [] {
    nap(g_count);
    nested("both");
  });
  other.join();
}

void ended() {
  nested("first");
  std::thread([] { nested("other"); }).join();
  nested("alone");
}

void set() {
  std::thread other([] {
    in_turn(1, [] {
      nested("other");
      say("set %d", omp_set_nesting_info("2,compact"));
      nested("other-2");
    });
    in_turn(3, [] {});
  });
  in_turn(0, [] { nested("first"); });
  in_turn(2, [] { nested("first-2"); });
  other.join();
}

void fork_child(const char *label) {
  const pid_t child = fork();
  if (child == 0) {
    nested(label);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) say("the child fails");
}

/* OpenMP need not work in a child process that is forked after a region. */
void child() {
  std::thread other([] {
    in_turn(0, [] { nested("other"); });
    in_turn(2, [] { nested("alone"); });
  });
  in_turn(1, [] { fork_child("child"); });
  other.join();
}

long resident_kib() {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == nullptr || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return pages * 4;
}

void many() {
  nested(nullptr);
  const auto run = [](int count) {
    for (int i = 0; i < count; ++i) {
      std::thread([i] { nested(i % 1000 == 999 ? "other" : nullptr); }).join();
      if (i % 100 == 0) nested(nullptr);
    }
  };
  run(g_count / 10);
  const long before = resident_kib();
  run(g_count);
  const long grown = resident_kib() - before;
  if (grown > g_count / 10 + 1000) say("after %d roots: %ld KiB more", g_count, grown);
}

void mask() {
  std::thread other([] {
    cpu_set_t set = show_mask_of(0);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &set)) --last;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
    in_turn(1, [&] {
      if (sched_setaffinity(0, sizeof set, &set) != 0) abort();
      nested("other");
    });
    in_turn(3, [] { nested("other"); });
  });
  in_turn(0, [] { nested("first"); });
  in_turn(2, [] { nested("beside"); });
  other.join();
}

void ask() {
  std::vector<std::thread> pool;
  for (int i = 0; i < g_count; ++i) {
    pool.emplace_back([i] {
      in_turn(i, [i] {
        say("thread %d is told %d", i, omp_get_max_threads());
        nested(("root" + std::to_string(i)).c_str());
      });
      while (g_step < g_count) nap(1);
    });
  }
  for (std::thread &thread : pool) thread.join();
}

/* At its next fork, "other" moves to the first part of the machine. A region of one thread is not a
 * team. */
void alone() {
  std::thread first([] {
    in_turn(0, [] { nested("first"); });
    in_turn(2, [] {});
  });
  std::thread other([] {
    in_turn(1, [] { nested("other"); });
    in_turn(4, [] {
#pragma omp parallel num_threads(1)
      show("one");
      show("row");
      nested("alone");
    });
  });
  first.join();
  in_turn(3, [] {});
  other.join();
}

const char *g_library;
void mixed() {
  using WorkInner = void(const char *, int, int);
  void *const library = dlopen(g_library, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) abort();
  WorkInner *const work_inner = reinterpret_cast<WorkInner *>(dlsym(library, "work_inner"));
  nested("first");
  std::thread other([work_inner] {
    in_turn(0, [work_inner] { work_inner("other", 0, g_outer); });
    in_turn(2, [work_inner] {
      work_inner("again", 0, g_outer);
      nested("own");
    });
  });
  in_turn(1, [] { nested("both"); });
  other.join();
  nested("last");
}

const struct {
  const char *name;
  void (*run)();
} kModes[] = {{"std", std_pool}, {"posix", posix_pool}, {"idle", idle},   {"busy", busy},
              {"ended", ended},  {"set", set},          {"child", child}, {"many", many},
              {"mask", mask},    {"ask", ask},          {"alone", alone}, {"mixed", mixed}};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 5 || argc > 6) return 2;
  g_count = atoi(argv[2]);
  g_outer = atoi(argv[3]);
  g_inner = atoi(argv[4]);
  g_library = argv[5];
  for (const auto &mode : kModes) {
    if (strcmp(mode.name, argv[1]) == 0) {
      mode.run();
      return 0;
    }
  }
  return 2;
}
