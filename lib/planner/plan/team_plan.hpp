// SPDX-License-Identifier: BSD-3-Clause
// Finds slots and partitions from a specification, a machine, and a path of thread numbers and team
// sizes. Implements nestbind-spec(7), after Schmidl and others (IWOMP 2010).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/teams.hpp"

namespace nestbind::plan {

// A plan uses the real sizes of the teams on a path. For other teams the specification has the
// sizes. Teams are planned first; after that, their members take the slots in the given order.
class Plan {
 public:
  // quota: limits the product of symbolic sizes; 0 for no limit.
  Plan(machine::Machine machine, Rules rules, Order order = {}, int quota = 0);

  const machine::Machine& machine() const { return machine_; }
  const Rules& rules() const { return rules_; }
  const Order& order() const { return order_; }
  int quota() const { return quota_; }

  // The result is valid until the next call.
  const Team& team(const Path& path, int size);

  // The empty path is the initial thread.
  const PlannedSlot& slot_of(const Path& path);

  // Returns the specified size of the next team at `path`, or 0. "*" counts as "core".
  int next_size(const Path& path);
  // Returns the size to set for this thread's next team, or 0.
  int size_to_set(const Path& path, const PlannedSlot& slot) const;
  // True if the team has its specified size, and all teams on the path, too.
  bool as_specified(const Path& path, int size);

 private:
  struct Primaries {
    std::vector<PlannedSlot> slots;
    std::vector<Path> paths;
    std::vector<int> sizes;
    std::size_t own = 0;  // index of the thread on the path
  };
  // These functions use the plain order of members.
  const Team& remember(std::map<std::pair<Path, int>, Team>& teams, const Path& path, Team team);
  const Team& planned_team(const Path& path, int size);
  const PlannedSlot& slot_as_planned(const Path& path);
  int planned_size(const Path& path);

  Primaries primaries_on(const Path& path, int size);
  const Team& plain_inner_team(const Path& path, int size);

  machine::Machine machine_;
  Rules rules_;
  Order order_;
  int quota_;
  PlannedSlot root_;
  std::map<std::pair<Path, int>, Team> teams_;    // by paths in the plain order
  std::map<std::pair<Path, int>, Team> ordered_;  // only teams that are not in the plain order
  std::size_t bytes_ = 0;                         // size of both maps, estimated
  std::size_t most_at_once_ = 0;                  // the most bytes of one level
};

machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores);

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order = {}, int quota = 0);

// Returns a warning if threads share slots when the thread at `path` forks a team of `size`.
std::string sharing_of(Plan& plan, const Path& path, int size);

// Makes a plan for the machine of `base`. `spec` replaces the rules of level `level` and of all
// deeper levels.
Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores);

}  // namespace nestbind::plan
