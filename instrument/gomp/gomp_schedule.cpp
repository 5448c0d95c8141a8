// SPDX-License-Identifier: BSD-3-Clause
// The program chooses the schedule of its loops with schedule(runtime), in C or in Fortran, on any
// runtime: its choice wins over NESTBIND_SCHEDULE.
#include <limits.h>
#include <stdint.h>

#include "instrument/gomp/gomp_runtime.hpp"
#include "interpose/next_function.hpp"
#include "worksharing/change_schedule.hpp"

using namespace nestbind;
using namespace nestbind::gomp;

namespace {

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
