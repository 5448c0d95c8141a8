// SPDX-License-Identifier: BSD-3-Clause
// Specification + machine + path of thread numbers and team sizes -> slot and partition. Pure.
// What it computes is nestbind-spec(7), after the method of Schmidl and others (IWOMP 2010).
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "plan/order.hpp"
#include "plan/teams.hpp"

namespace nestbind::plan {

// The plan of a machine and rules: the teams of any path. What was computed is remembered until it
// takes too much memory. In a plan for a path the teams on it have their real sizes, all others the
// specification's. The teams are made first,
// and then their members take the slots in the order that is given.
class Plan {
 public:
  // quota: how many threads the sizes that are words make at most, in product; 0: any number. Slots
  // and teams are planned as without it.
  Plan(machine::Machine machine, Rules rules, Order order = {}, int quota = 0);

  const machine::Machine& machine() const { return machine_; }
  const Rules& rules() const { return rules_; }
  const Order& order() const { return order_; }
  int quota() const { return quota_; }

  // The team of `size` that the thread at `path` forks. The reference is good until the next call.
  const Team& team(const Path& path, int size);

  // Where the thread at `path` sits; the empty path is the initial thread.
  const PlannedSlot& slot_of(const Path& path);

  // The size that the next team of the thread at `path` has by the specification, "*" counted as
  // "core"; 0 beyond it.
  int next_size(const Path& path);
  // The same of a thread that sits there; 0 where none is to be set, of "*" too.
  int size_to_set(const Path& path, const PlannedSlot& slot) const;

 private:
  // All threads of one level in path order, and what each forks next.
  struct Primaries {
    std::vector<PlannedSlot> slots;
    std::vector<Path> paths;
    std::vector<int> sizes;
    std::size_t own = 0;  // the one whose plan it is
  };
  // Of threads as planned, before they take their slots.
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
  std::map<std::pair<Path, int>, Team> teams_;    // by planned paths
  std::map<std::pair<Path, int>, Team> ordered_;  // of those whose members are in another order
  std::size_t bytes_ = 0;                         // of both, about
  std::size_t most_at_once_ = 0;                  // of one level
};

// From a specification and a topology to a plan.

// The slots that the rules ask for. smt: slots a core, 0: as many as wanted.
machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores);

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order = {}, int quota = 0);

// The plan that is `base` above `level` and `spec` from there on, on the slots of `base`, in its
// order, with its quota.
Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores);

}  // namespace nestbind::plan
