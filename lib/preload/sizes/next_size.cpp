// SPDX-License-Identifier: BSD-3-Clause
#include "sizes/next_size.hpp"

#include "binding/thread.hpp"
#include "options/settings.hpp"
#include "places/place.hpp"

namespace nestbind::placement {

using binding::t_thread;

void give_next_size(const Place& place, const omp::Calls& runtime) {
  t_thread.owed_size = 0;
  const int size = place.planned.next_size;
  if (size <= 0 || !options::settings().sizes) {
    return;
  }
  if (runtime.is_llvm && !place.is_active) {
    t_thread.owed_size = size;
  } else {
    runtime.set_num_threads(size);
  }
}

unsigned give_owed_size(const omp::Calls& runtime, unsigned asked) {
  const int owed = t_thread.owed_size;
  const bool is_of_clause = asked > 0 && static_cast<int>(asked) != runtime.get_max_threads();
  if (team::t_here.told != &runtime || (is_of_clause && is_owed_at(own_place(), runtime))) {
    return asked;
  }
  pay(runtime);
  return asked > 0 && !is_of_clause ? static_cast<unsigned>(owed) : asked;
}

// After set_num_threads(1), the runtime does not divide the loops of a region of one thread, even
// if a later call sets a larger size. The second call sets the size of the next team again.
void count_anew(const omp::Calls& runtime, int size) {
  t_thread.was_paid = false;
  if (size == 1) {
    const int next = runtime.get_max_threads();
    runtime.set_num_threads(1);
    runtime.set_num_threads(next);
  }
}

}  // namespace nestbind::placement
