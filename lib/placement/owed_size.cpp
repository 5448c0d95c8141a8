// SPDX-License-Identifier: BSD-3-Clause
#include "placement/owed_size.hpp"

#include "binding/thread.hpp"
#include "options/settings.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

using binding::t_thread;

namespace {

// Whether all teams on the way to this place have one thread.
bool is_inactive(const Place& place) {
  const Place* outer = &place;
  while (outer != nullptr && outer->size == 1) {
    outer = outer->master;
  }
  return outer == nullptr;
}

}  // namespace

void give_next_size(const Place& place, const omp::Calls& runtime) {
  t_thread.owed_size = 0;
  const int size = place.planned.next_size;
  if (size <= 0 || !options::settings().sizes) {
    return;
  }
  if (runtime.is_llvm && place.size == 1 && is_inactive(place)) {
    t_thread.owed_size = size;
  } else {
    runtime.set_num_threads(size);
  }
}

void give_owed_size(const omp::Calls& runtime, unsigned asked) {
  // A team of one that the program asks for is not active either, and has no use for the size.
  const bool stays_inactive = asked == 1 && runtime.get_max_threads() != 1;
  if (t_thread.omp != &runtime || stays_inactive) {
    return;
  }
  runtime.set_num_threads(t_thread.owed_size);
  t_thread.owed_size = 0;
}

void owe_size_at(const Place* place) {
  const bool is_owed = place != nullptr && place->level > 0 && place->planned.next_size > 0 &&
                       t_thread.omp != nullptr && t_thread.omp->is_llvm && !t_thread.chose_size &&
                       options::settings().sizes && is_inactive(*place);
  t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
