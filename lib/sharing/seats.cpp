// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/seats.hpp"

#include "placement/seats.hpp"

namespace nestbind::sharing {

namespace {

constinit std::atomic<bool> g_has_seats{false};

std::uint16_t number_of(int number) {
  return number >= 0 && number < loops::Place::kNowhere ? static_cast<std::uint16_t>(number)
                                                        : loops::Place::kNowhere;
}

// A thread that is not pinned may be anywhere in its share.
loops::Place seat_of(const PlannedPlace* planned, bool has_distances) {
  if (planned == nullptr || !planned->pinned) {
    return {};
  }
  return {.l2 = number_of(planned->l2),
          .l3 = number_of(planned->l3),
          .node = number_of(has_distances ? planned->numa_row : planned->numa),
          .package = number_of(planned->package)};
}

// Apart, so that a fork from the place where the last one was does not pay for it.
[[gnu::noinline]] void take_seats(Team& team, const placement::Place* place) {
  const bool has_distances = placement::node_distances(place).table != nullptr;
  for (int number = 0; number < team.size; ++number) {
    team.seats[number] =
        seat_of(placement::planned_member(place, team.size, number), has_distances);
  }
  if (place != nullptr) {
    g_has_seats.store(true, std::memory_order_relaxed);
  }
  team.place = place;
  ++team.version;
}

}  // namespace

bool has_seats() { return g_has_seats.load(std::memory_order_relaxed); }

loops::Places find_seats(Team& team, const placement::Place* place) {
  if (team.version == 0 || team.place != place) {
    take_seats(team, place);
  }
  if (place == nullptr) {
    return {};
  }
  const NodeDistances distances = placement::node_distances(place);
  return {.of_member = team.seats, .node_distance = distances.table, .nodes = distances.nodes};
}

}  // namespace nestbind::sharing
