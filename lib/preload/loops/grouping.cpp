// SPDX-License-Identifier: BSD-3-Clause
#include "loops/grouping.hpp"

namespace nestbind::loops {

namespace {

// Larger than every distance of a table.
constexpr unsigned kUnknown = 256;

bool is_same(std::uint16_t a, std::uint16_t b) { return a == b && a != Place::kNowhere; }

std::uint16_t object_of(const Place& place, Sharing sharing) {
  switch (sharing) {
    case Sharing::kL2:
      return place.l2;
    case Sharing::kL3:
      return place.l3;
    case Sharing::kNuma:
      return place.node;
    case Sharing::kPackage:
      return place.package;
    case Sharing::kThread:
    case Sharing::kAll:
      break;
  }
  return Place::kNowhere;
}

constexpr unsigned kNone = ~0U;

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

Distance distance(const Place& a, const Place& b) {
  return is_same(a.l2, b.l2)             ? Distance::kL2
         : is_same(a.l3, b.l3)           ? Distance::kL3
         : is_same(a.node, b.node)       ? Distance::kNode
         : is_same(a.package, b.package) ? Distance::kPackage
                                         : Distance::kFar;
}

unsigned Places::between_nodes(const Place& a, const Place& b) const {
  if (node_distance == nullptr || a.node >= nodes || b.node >= nodes) {
    return kUnknown;
  }
  return node_distance[a.node * nodes + b.node];
}

unsigned remoteness(const Places& places, int a, int b) {
  const Place from = places.of(a);
  const Place to = places.of(b);
  const Distance near = distance(from, to);
  const auto rank = static_cast<unsigned>(near);
  return near == Distance::kFar ? rank + places.between_nodes(from, to) : rank;
}
Grouping of_first(const Grouping& grouping, int members) {
  Grouping result = grouping;
  result.members = members;
  result.queues = grouping.queue_with(members - 1) + 1;
  return result;
}

Grouping group(const Places& places, int members, Sharing sharing, std::uint16_t* first,
               std::uint16_t* queue_of) {
  if (sharing == Sharing::kAll) {
    return one_queue(members);
  }
  if (sharing == Sharing::kThread || places.of_member == nullptr) {
    return own_queues(members);
  }
  int queues = 0;
  std::uint16_t before = Place::kNowhere;
  for (int member = 0; member < members; ++member) {
    const std::uint16_t object = object_of(places.of(member), sharing);
    if (member == 0 || object != before || object == Place::kNowhere) {
      first[queues++] = static_cast<std::uint16_t>(member);
    }
    queue_of[member] = static_cast<std::uint16_t>(queues - 1);
    before = object;
  }
  return {members, queues, first, queue_of};
}

// This is simple but slow. There are few classes, and each team calls it only once.
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
