// SPDX-License-Identifier: BSD-3-Clause
// Slot and partition from a specification, a machine, and a path of thread numbers and team sizes.
// Pure. Implements nestbind-spec(7), after the method of Schmidl and others (IWOMP 2010).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/order.hpp"
#include "plan/teams.hpp"

namespace nestbind::plan {

// Plans the teams on any path, for a machine and rules. Results are remembered until they take too
// much memory. The teams on a path have their real sizes, other teams the specification's. Teams
// are planned first; after that, their members take the slots in the given order.
class Plan {
 public:
  // quota: limits the product of sizes that are words; 0: none. It does not change slots and teams.
  Plan(machine::Machine machine, Rules rules, Order order = {}, int quota = 0);

  const machine::Machine& machine() const { return machine_; }
  const Rules& rules() const { return rules_; }
  const Order& order() const { return order_; }
  int quota() const { return quota_; }

  // The team of `size` that the thread at `path` forks. The reference is valid until the next call.
  const Team& team(const Path& path, int size);

  // The slot of the thread at `path`; the empty path is the initial thread.
  const PlannedSlot& slot_of(const Path& path);

  // The specified size of the next team at `path`; "*" counts as "core". 0: there is none.
  int next_size(const Path& path);
  // The size to set in the runtime for this thread's next team. 0: set none (also for "*").
  int size_to_set(const Path& path, const PlannedSlot& slot) const;

 private:
  // All threads of one level in path order, and the sizes of the teams that they fork.
  struct Primaries {
    std::vector<PlannedSlot> slots;
    std::vector<Path> paths;
    std::vector<int> sizes;
    std::size_t own = 0;  // index of the thread on the path
  };
  // planned_team and slot_as_planned do not order the members.
  const Team& remember(std::map<std::pair<Path, int>, Team>& teams, const Path& path, Team team);
  const Team& planned_team(const Path& path, int size);
  const PlannedSlot& slot_as_planned(const Path& path);
  int planned_size(const Path& path);

  Primaries primaries_on(const Path& path, int size);
  bool as_specified(const Path& path, int size);
  const Team& plain_inner_team(const Path& path, int size);

  machine::Machine machine_;
  Rules rules_;
  Order order_;
  int quota_;
  PlannedSlot root_;
  std::map<std::pair<Path, int>, Team> teams_;    // by paths in the plain order
  std::map<std::pair<Path, int>, Team> ordered_;  // of teams whose members have another order
  std::size_t bytes_ = 0;                         // of both maps, estimated
  std::size_t most_at_once_ = 0;                  // the most bytes of one level
};

// Functions that make a plan from a specification and a topology.

// The slots that the rules want. smt: slots per core; 0: as many as the sizes need.
machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores);

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order = {}, int quota = 0);

// Says that threads share slots if the thread at `path` forks a team of `size`. Counts the threads
// of this team, or, if the specification has more threads than slots, of all teams of the level.
// Empty if each thread has its own slot, or for "*" if the partition has enough processors.
std::string sharing_of(Plan& plan, const Path& path, int size);

// A plan that follows `base` above `level`, and `spec` from `level` on, on the machine of `base`.
Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores);

}  // namespace nestbind::plan
