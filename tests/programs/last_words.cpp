// SPDX-License-Identifier: BSD-3-Clause
// last_words HOW: inner workers have thread_local objects and values of a pthread key. The
// destructors of both increment a count in a static object. The static object's destructor prints
// the count. HOW says how the process ends:
//
//   return    from main, with workers of two masters
//   exit      from a function
//   handler   from a signal handler, by exit()
//   again     from main, with a region in a function of atexit
//   stuck     from main, but one destructor hangs
//
// LAST_WORDS_KEPT is set if workers are kept. Without LAST_WORDS_KEPT, the program waits until the
// workers have ended.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum { kOuter = 2, kInner = 3, kWorkers = kOuter * (kInner - 1) };

bool g_is_stuck = false;
std::atomic<int> g_words{0};

struct Book {
  bool is_open = true;
  ~Book() {
    std::printf("%d words\n", g_words.load());
    is_open = false;
  }
  void write() {
    // The destructor is slow, and nestbind must wait for it at the exit of the program.
    usleep(20000);
    g_words += is_open ? 1 : 1000;
  }
};

Book& book() {
  static Book one;
  return one;
}

struct Writer {
  bool is_used = false;
  bool is_stuck = false;
  ~Writer() {
    while (is_stuck) {
      pause();
    }
    if (is_used) {
      book().write();
    }
  }
};
thread_local Writer t_writer;
pthread_key_t g_key;

void write_too(void*) { book().write(); }

void fork_teams() {
#pragma omp parallel num_threads(kOuter)
#pragma omp parallel num_threads(kInner)
  if (omp_get_thread_num() > 0) {
    t_writer.is_used = true;
    t_writer.is_stuck =
        g_is_stuck && omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 1;
    pthread_setspecific(g_key, &g_key);
  }
}

void wait_for(int words) {
  while (std::getenv("LAST_WORDS_KEPT") == nullptr && g_words < words) {
    usleep(1000);
  }
}

void fork_again() {
  fork_teams();
  wait_for(4 * kWorkers);
}

}  // namespace

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  omp_set_max_active_levels(2);
  pthread_key_create(&g_key, write_too);
#pragma omp parallel num_threads(kOuter)
#pragma omp parallel num_threads(kInner)
  book();
  if (std::strcmp(how, "again") == 0) {
    std::atexit(fork_again);
  }
  g_is_stuck = std::strcmp(how, "stuck") == 0;
  fork_teams();
  wait_for(2 * kWorkers);
  if (std::strcmp(how, "exit") == 0) {
    std::exit(0);
  }
  if (std::strcmp(how, "handler") == 0) {
    signal(SIGUSR1, [](int) { std::exit(0); });
    raise(SIGUSR1);
  }
  return 0;
}
