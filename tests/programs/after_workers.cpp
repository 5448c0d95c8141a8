// SPDX-License-Identifier: BSD-3-Clause
/* after_workers WHAT N: inner workers that end after their primary thread's regions. The
 * destructors of the workers' thread_local objects fork teams. The runtime has then freed its data
 * of the region. If WHAT is `set`, the destructors first set a specification. Prints "good" if all
 * iterations have run. */
#include <omp.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" int omp_set_nesting_info(const char *) __attribute__((weak));

namespace {

std::atomic<int> g_ended{0};
std::atomic<int> g_iterations{0};
bool g_sets = false;

struct AtEnd {
  bool is_used = false;
  ~AtEnd() {
    if (!is_used) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (g_sets && omp_set_nesting_info != nullptr) omp_set_nesting_info("2,scatter");
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(runtime)
      for (int i = 0; i < 4; ++i) ++g_iterations;
    }
    ++g_ended;
  }
};
thread_local AtEnd t_at_end;

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  g_sets = strcmp(argv[1], "set") == 0;
  for (int round = atoi(argv[2]); round > 0; --round) {
    std::thread([round] {
      omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
      {
#pragma omp parallel num_threads(3 + round % 4)
        t_at_end.is_used = true;
      }
    }).join();
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));  // the workers are not joinable
  puts(g_ended > 0 && g_iterations == 4 * g_ended ? "good" : "lost");
  fflush(stdout);
  quick_exit(0);
}
