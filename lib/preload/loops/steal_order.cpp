// SPDX-License-Identifier: BSD-3-Clause
#include "loops/steal_order.hpp"

namespace nestbind::loops {
namespace {

constexpr unsigned kNone = ~0U;

// The least remoteness of a queue that is not nearer than `from`; kNone where there is no such.
unsigned next_class(const Places& places, const Grouping& grouping, int member, unsigned from) {
  const int own = grouping.queue_with(member);
  unsigned least = kNone;
  for (int queue = 0; queue < grouping.queues; ++queue) {
    const unsigned far = remoteness(places, member, grouping.first_of(queue));
    if (queue != own && far >= from && far < least) {
      least = far;
    }
  }
  return least;
}

}  // namespace

// There are few classes, and this happens once for a team.
void order_victims(const Places& places, const Grouping& grouping, int member, Victim* victims) {
  const int own = grouping.queue_with(member);
  unsigned far = next_class(places, grouping, member, 0);
  while (far != kNone) {
    for (int step = 1; step < grouping.queues; ++step) {
      const int queue = (own + step) % grouping.queues;
      const int owner = grouping.first_of(queue);
      if (remoteness(places, member, owner) == far) {
        const Distance near = distance(places.of(member), places.of(owner));
        *victims++ = {static_cast<std::uint16_t>(queue), near, false};
      }
    }
    victims[-1].ends_class = true;
    far = next_class(places, grouping, member, far + 1);
  }
}

}  // namespace nestbind::loops
