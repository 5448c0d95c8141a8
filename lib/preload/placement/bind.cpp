// SPDX-License-Identifier: BSD-3-Clause
#include "placement/bind.hpp"

#include "binding/kernel_mask.hpp"
#include "placement/seen_places.hpp"
#include "process/message.hpp"
#include "process/traced.hpp"

namespace nestbind::placement {

void bind_to(const Place& place) {
  const bool is_bound = binding::bind_self(place.planned.mask);
  if (is_bound) {
    binding::take_slot(place.slot_id);
  }
  tell_slot(place, is_bound);
  if (is_bound) {
    return;
  }
  process::trace(process::Traced::kRefused, place.level, place.number);
  static std::atomic<bool> told{false};
  if (!told.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "the system refuses to bind a thread; it runs unbound");
  }
}

}  // namespace nestbind::placement
