// SPDX-License-Identifier: BSD-3-Clause
// What generated code asks: without a library behind, it has to be answered here.
#include <stdint.h>

#include "instrument/pomp-library/next.hpp"
#include "instrument/pomp/hooks.hpp"

#pragma weak nestbind_pomp_sizes

using namespace nestbind::pomp;

extern "C" int omp_get_max_threads();

namespace {

// The size of a team without a num_threads clause.
template <Name kName>
int max_threads() {
  if (nestbind_pomp_sizes != nullptr) {
    nestbind_pomp_sizes();
  }
  auto* next = next_function<kName, int()>();
  return next != nullptr ? next() : omp_get_max_threads();
}

}  // namespace

NESTBIND_INTERPOSE int POMP2_Lib_get_max_threads() {
  return max_threads<"POMP2_Lib_get_max_threads">();
}

NESTBIND_INTERPOSE int pomp2_lib_get_max_threads_() {
  return max_threads<"pomp2_lib_get_max_threads_">();
}

// A new task's handle: different for each.
NESTBIND_INTERPOSE int64_t POMP2_Get_new_task_handle() {
  if (auto* next = next_function<"POMP2_Get_new_task_handle", int64_t()>()) {
    return next();
  }
  static constinit std::atomic<int64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}
