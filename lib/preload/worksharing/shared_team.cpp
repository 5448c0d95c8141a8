// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/shared_team.hpp"

#include <stdlib.h>

#include <new>

#include "places/team_places.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "team/consumer.hpp"
#include "team/fork.hpp"

namespace nestbind::worksharing {

namespace {

constinit std::atomic<bool> g_has_forked{false};

// All teams have different identities, and none is 0.
constinit std::atomic<std::uint64_t> g_identity{0};

// Zeroed memory, aligned to a cache line. Pages take no memory until they are written.
struct Lines {
  void* first;
  void* memory;
};
Lines new_lines(std::size_t bytes) {
  constexpr std::uintptr_t kLine = 64;
  void* const memory = calloc(1, bytes + kLine);
  if (memory == nullptr) {
    return {};
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return {static_cast<char*>(memory) + (kLine - address % kLine) % kLine, memory};
}

std::ptrdiff_t bytes_of(int size) {
  const auto count = static_cast<std::size_t>(size);
  return static_cast<std::ptrdiff_t>(loops::Team::bytes(size) +
                                     count * (sizeof(Member) + sizeof(loops::Place)));
}

// The bytes of sites() at the last call of count_sites().
constinit std::atomic<std::ptrdiff_t> g_counted{0};

void count_sites() {
  const auto bytes = static_cast<std::ptrdiff_t>(sites().bytes());
  team::count_memory(bytes - g_counted.exchange(bytes, std::memory_order_relaxed));
}

void free_shared(Shared* shared) {
  free(shared->members_memory);
  free(shared->loops_memory);
  free(shared->places);
  free(shared);
}

Shared* new_shared(int size) {
  const auto count = static_cast<std::size_t>(size);
  Shared* shared = support::allocate<Shared>();
  if (shared == nullptr) {
    return nullptr;
  }
  const Lines members = new_lines(count * sizeof(Member));
  const Lines loops = new_lines(loops::Team::bytes(size));
  shared->members_memory = members.memory;
  shared->loops_memory = loops.memory;
  shared->places = support::allocate<loops::Place>(count);
  if (members.first == nullptr || loops.first == nullptr || shared->places == nullptr) {
    free_shared(shared);
    return nullptr;
  }
  const std::uint64_t identity = g_identity.fetch_add(1, std::memory_order_relaxed) + 1;
  shared->size = size;
  shared->loops = loops::Team::make(loops.first, size, identity);
  shared->members = static_cast<Member*>(members.first);
  for (int number = 0; number < size; ++number) {
    Member* member = new (shared->members + number) Member;
    member->team = shared;
    member->shared = &shared->loops->member(number);
  }
  team::count_memory(bytes_of(size));
  count_sites();
  return shared;
}

[[gnu::noinline]] void share(team::Team& team) {
  const support::ErrnoKept errno_kept;
  const bool has_loops = team.kind == team::Team::Kind::kTeam && team.size <= loops::kMostMembers &&
                         team.from->loops != &g_nowhere;
  team.shared = has_loops ? new_shared(team.size) : nullptr;
  for (int number = 0; number < team.size; ++number) {
    team.members[number].loops =
        team.shared != nullptr ? &team.shared->members[number] : &g_nowhere;
  }
}

void open(team::Team& team) {
  if (team.members[0].loops == nullptr) {
    share(team);
  }
  Shared* const shared = team.shared;
  if (shared == nullptr) {
    return;
  }
  const Member* const from = team.from->loops;
  const std::uint64_t chosen_from =
      from != nullptr && from->forks.runtime_is_chosen ? 0 : Shared::kNever;
  if (shared->chosen_from.load(std::memory_order_relaxed) != chosen_from) {
    shared->chosen_from.store(chosen_from, std::memory_order_relaxed);
  }
  team::write_if_other(shared->runtime, team.runtime);
  const InForce* schedule = schedule_from(from);
  if (shared->schedule != schedule) {
    shared->schedule = schedule;
    g_has_forked.store(true, std::memory_order_relaxed);
  }
  if (schedule != nullptr) {
    const loops::Places places = places_of(*shared, team);  // may change the version
    shared->loops->open(places, shared->version, schedule->settings.schedule.sharing);
  }
}

void expect(team::Team& team) {
  if (team.ready > 0) {
    open(team);
  }
}

// chosen_from becomes 0 only before the team begins, and stays 0 until the team ends.
bool is_chosen_from_begin(const Shared& team) {
  return team.chosen_from.load(std::memory_order_relaxed) == 0;
}

void begin(team::Member& self, const team::Team&) {
  Member* const member = self.loops;
  if (member == nullptr || member == &g_nowhere) {
    return;
  }
  member->whose = Whose::kRuntimes;
  member->barriers = 0;
  member->forks = {.runtime_is_chosen = is_chosen_from_begin(*member->team)};
}

void root_ends(team::Member& root) {
  if (root.loops != nullptr) {
    root.loops->forks = {};
  }
}

void forget(team::Team& team) {
  if (team.shared != nullptr) {
    forget_sites(team.shared->loops->identity());
    count_sites();
    team::count_memory(-bytes_of(team.shared->size));
    free_shared(team.shared);
    team.shared = nullptr;
  }
}

constinit team::Consumer g_consumer{
    .expect = expect, .open = open, .begin = begin, .root_ends = root_ends, .forget = forget};

constinit Listener g_when_wanted{[](bool is_wanted) {
  if (is_wanted) {
    team::follow(g_consumer);
  }
}};

// Constructors may run in any order. So this constructor calls start(), which sets g_wanted.
__attribute__((constructor)) void begin_to_listen() {
  start();
  add(g_when_wanted);
}

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

constinit Member g_nowhere{};

bool has_forked() { return g_has_forked.load(std::memory_order_relaxed); }

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
