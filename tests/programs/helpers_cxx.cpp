// SPDX-License-Identifier: BSD-3-Clause
// helpers_cxx OUTER INNER: the same as helpers.c, with the threads of the C++ library.
#include <future>
#include <thread>

#include "show.h"

namespace {

void tell(const char *label) {
  char cpus[8192];
  show_cpus(cpus, sizeof cpus);
  say("@ %s - - %ld %s", label, static_cast<long>(syscall(SYS_gettid)), cpus);
}

void create() {
  std::thread thread(tell, "thread");
  thread.join();
  std::async(std::launch::async, tell, "async").get();
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int outer = std::atoi(argv[1]);
  const int inner = std::atoi(argv[2]);
  create();
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      show("member");
      create();
      show("member");
    }
  }
  // The exception must be caught in the region.
#pragma omp parallel num_threads(outer)
  {
    try {
      throw omp_get_thread_num();
    } catch (int number) {
      if (number != omp_get_thread_num()) say("another thread's exception");
    }
  }
  return 0;
}
