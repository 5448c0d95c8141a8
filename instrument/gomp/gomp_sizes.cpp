// SPDX-License-Identifier: BSD-3-Clause
// Hooks for the calls by which a program asks for team sizes, or sets sizes or a schedule. Programs
// size arrays by omp_get_max_threads(). So omp_get_max_threads() returns the specification's size,
// unless the thread has chosen a size.
#include <limits.h>
#include <stdint.h>

#include "instrument/gomp/gomp_runtime.hpp"
#include "interpose/next_function.hpp"
#include "omp/runtimes.hpp"
#include "placement/placement_start.hpp"
#include "process/armed.hpp"
#include "sizes/told_sizes.hpp"
#include "worksharing/schedule_in_force.hpp"

using namespace nestbind;
using namespace nestbind::gomp;

namespace {

// Returns the runtime that has this omp_get_max_threads(), or null if it is not known.
const omp::Calls* runtime_that_answers(int (*ask)()) {
  int number = 0;
  const omp::Calls* runtime = omp::started(number);
  while (runtime != nullptr && runtime->get_max_threads != ask) {
    runtime = omp::started(++number);
  }
  return runtime;
}

int max_threads(const void* caller) {
  // `ask` is any runtime's function. It is null if the runtime is hidden, as in Python wheels.
  if (auto* ask = reinterpret_cast<int (*)()>(NESTBIND_NEXT_RECORD(omp_get_max_threads).known())) {
    static std::atomic<bool> looked{false};
    placement::start();
    int size = ask();  // the call starts LLVM's runtime and its tool
    if (process::armed()) {
      if (!looked.load(std::memory_order_relaxed)) {
        looked.store(true, std::memory_order_relaxed);
        runtime_of(caller);
        size = ask();
      }
      size = placement::size_at_next_fork(size, runtime_that_answers(ask));
    }
    return size;
  }
  const Runtime* runtime = runtime_of(caller);
  const int size = runtime == nullptr ? 1 : runtime->calls.get_max_threads();
  return runtime == nullptr || !process::armed()
             ? size
             : placement::size_at_next_fork(size, &omp::known(runtime->calls));
}

void set_threads(const void* caller, int threads) {
  placement::program_chose_size();
  if (void* set = NESTBIND_NEXT_RECORD(omp_set_num_threads).known()) {
    reinterpret_cast<void (*)(int)>(set)(threads);
  } else if (const Runtime* runtime = runtime_of(caller)) {
    runtime->calls.set_num_threads(threads);
  }
}

// A schedule that the program sets for schedule(runtime) loops replaces NESTBIND_SCHEDULE.
void set_schedule(const void* caller, int kind, int chunk) {
  worksharing::runtime_is_chosen();
  using Set = void(int, int);
  if (void* set = NESTBIND_NEXT_RECORD(omp_set_schedule).known()) {
    reinterpret_cast<Set*>(set)(kind, chunk);
  } else if (const Runtime* runtime = runtime_of(caller)) {
    if (runtime->set_schedule != nullptr) {
      reinterpret_cast<Set*>(runtime->set_schedule)(kind, chunk);
    }
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

NESTBIND_INTERPOSE void omp_set_schedule(int kind, int chunk) {
  set_schedule(__builtin_return_address(0), kind, chunk);
}

NESTBIND_INTERPOSE void omp_set_schedule_(const int32_t* kind, const int32_t* chunk) {
  set_schedule(__builtin_return_address(0), *kind, *chunk);
}

NESTBIND_INTERPOSE void omp_set_schedule_8_(const int32_t* kind, const int64_t* chunk) {
  const int64_t most = *chunk > INT_MAX ? INT_MAX : *chunk;
  set_schedule(__builtin_return_address(0), *kind,
               static_cast<int>(most < INT_MIN ? INT_MIN : most));
}
