// SPDX-License-Identifier: BSD-3-Clause
// idle_exit: the process exits while a worker is in the destructor of a thread_local object. Prints
// whether a static object's destructor runs at the same time, or
//
//   one after the other
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<bool> g_begun{false};
std::atomic<bool> g_ended{false};
std::atomic<bool> g_process_ends{false};

constexpr int kTries = 100;

struct OfProcess {
  ~OfProcess() {
    g_process_ends = true;
    std::puts(g_begun && !g_ended ? "beside each other" : "one after the other");
  }
};
OfProcess g_of_process;

struct OfThread {
  bool is_used = false;
  ~OfThread() {
    if (!is_used) {
      return;
    }
    g_begun = true;
    for (int tries = 0; tries < kTries && !g_process_ends; ++tries) {
      usleep(10000);
    }
    usleep(10000);
    g_ended = true;
  }
};
thread_local OfThread t_of_thread;

}  // namespace

int main() {
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    t_of_thread.is_used = true;
  }
  t_of_thread.is_used = false;
  while (!g_begun) {
    usleep(1000);
  }
  return 0;
}
