// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/loop_slots.hpp"

#include "places/team_places.hpp"

namespace nestbind::worksharing {

namespace {

constinit std::atomic<bool> g_has_places{false};

std::uint16_t number_of(int number) {
  return number >= 0 && number < loops::Place::kNowhere ? static_cast<std::uint16_t>(number)
                                                        : loops::Place::kNowhere;
}

// A thread that is not pinned may be anywhere in its share of the machine, so its place is not
// known.
loops::Place place_of(const PlannedPlace* planned, bool has_distances) {
  if (planned == nullptr || !planned->pinned) {
    return {};
  }
  return {.l2 = number_of(planned->l2),
          .l3 = number_of(planned->l3),
          .node = number_of(has_distances ? planned->numa_row : planned->numa),
          .package = number_of(planned->package)};
}

// Not inlined, so that this function does not slow down forks whose places have not changed.
[[gnu::noinline]] void take_places(Shared& shared, const team::Team& team, std::uint64_t id) {
  const bool has_distances = placement::node_distances(team).table != nullptr;
  for (int number = 0; number < shared.size; ++number) {
    shared.places[number] = place_of(placement::planned_member(team, number), has_distances);
  }
  if (id != 0) {
    g_has_places.store(true, std::memory_order_relaxed);
  }
  shared.places_of = id;
  ++shared.version;
}

}  // namespace

bool has_places() { return g_has_places.load(std::memory_order_relaxed); }

loops::Places find_places(Shared& shared, const team::Team& team) {
  const placement::Planned* const planned = placement::planned_of(team);
  const std::uint64_t id = planned == nullptr ? 0 : planned->members[0].id;
  if (shared.version == 0 || shared.places_of != id) {
    take_places(shared, team, id);
  }
  if (planned == nullptr) {
    return {};
  }
  const NodeDistances distances = placement::node_distances(team);
  return {.of_member = shared.places, .node_distance = distances.table, .nodes = distances.nodes};
}

}  // namespace nestbind::worksharing
