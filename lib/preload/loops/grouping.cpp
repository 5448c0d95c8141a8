// SPDX-License-Identifier: BSD-3-Clause
#include "loops/grouping.hpp"

namespace nestbind::loops {
namespace {

// The number of the object that members share a queue on.
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

}  // namespace

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

}  // namespace nestbind::loops
