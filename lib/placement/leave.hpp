// SPDX-License-Identifier: BSD-3-Clause
// What the end of a region takes back.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// A change of the specification ends with the region in which it was made.
inline void leave(const Place* place) {
  if (place != nullptr && place->original != nullptr) {
    place->original->changed.store(nullptr, std::memory_order_release);
  }
}

// The end of a region whose beginning was not seen is not seen either: whoever looks at the place
// that the calling thread had there asks first.
inline void leave_untracked(binding::Thread& thread) {
  if (thread.untracked_in != nullptr && thread.place != nullptr &&
      thread.untracked_in->get_level() < thread.place->level) {
    leave(thread.place);
    thread.place = nullptr;
    thread.untracked_in = nullptr;
  }
}

}  // namespace nestbind::placement
