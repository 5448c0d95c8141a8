// SPDX-License-Identifier: BSD-3-Clause
// The program's own questions and choices of team sizes, in C and in Fortran, on every runtime that
// has GCC's entry points. A runtime that is loaded late is found here at the latest: a program
// sizes its arrays by omp_get_max_threads, so that has to tell the specification's size before the
// first fork. And a thread that has chosen a size keeps it where it would get the specification's.
#include <limits.h>
#include <stdint.h>

#include "instrument/gomp/runtime.hpp"

#define NESTBIND_INTERPOSE extern "C" __attribute__((visibility("default")))

namespace {

int max_threads(const void* caller) {
  const nestbind::gomp::Runtime* runtime = nestbind::gomp::runtime_of(caller);
  return runtime == nullptr ? 1 : runtime->omp.get_max_threads();
}

void set_threads(const void* caller, int threads) {
  if (const nestbind::gomp::Runtime* runtime = nestbind::gomp::runtime_of(caller)) {
    nestbind::runtime::program_chose_size();
    runtime->omp.set_num_threads(threads);
  }
}

}  // namespace

NESTBIND_INTERPOSE int omp_get_max_threads() { return max_threads(__builtin_return_address(0)); }

NESTBIND_INTERPOSE int32_t omp_get_max_threads_() {
  return max_threads(__builtin_return_address(0));
}

NESTBIND_INTERPOSE void omp_set_num_threads(int threads) {
  set_threads(__builtin_return_address(0), threads);
}

NESTBIND_INTERPOSE void omp_set_num_threads_(const int32_t* threads) {
  set_threads(__builtin_return_address(0), *threads);
}

NESTBIND_INTERPOSE void omp_set_num_threads_8_(const int64_t* threads) {
  const int64_t most = *threads > INT_MAX ? INT_MAX : *threads;
  set_threads(__builtin_return_address(0), static_cast<int>(most < INT_MIN ? INT_MIN : most));
}
