// SPDX-License-Identifier: BSD-3-Clause
// Specification + machine + path of thread numbers and team sizes -> slot and share. Pure.
// What it computes is nestbind-spec(7), after the method of Schmidl and others (IWOMP 2010).
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "spec/spec.hpp"

namespace nestbind::plan {

// What the specification says of one level, with the needs that follow from the deeper ones.
struct Rule {
  spec::Level level;
  int size = 1;           // the team size; of a symbolic one the count that stands for it in needs
  int whole = 0;          // of a symbolic size: how many of these objects the whole machine has
  long need = 1;          // slots that a thread wants for itself and its descendants
  long scatter_need = 1;  // the same with symbolic sizes counted as 1
};
using Rules = std::vector<Rule>;

// How many objects of a kind the whole machine has.
using Count = std::function<int(machine::Kind)>;

machine::Kind kind_of(spec::Object object);

// The product of the specification's sizes: how many slots it asks for.
long product(const spec::Spec& spec, const Count& count);

Rules make_rules(const spec::Spec& spec, const Count& count);

// Where a thread sits, and the slots that it may hand on (ascending).
struct Place {
  int slot = 0;
  std::vector<int> share;
  bool pinned = true;  // false: beyond the specification, anywhere in `share`
};
using Team = std::vector<Place>;

Place root_place(const machine::Machine& machine);

// The size of the next team of a thread with this place at `level`; 0 if the rules have no more.
int team_size(const machine::Machine& machine, const Rules& rules, int level, const Place& master);

// Whether teams of this level draw on the whole machine: plain strategies at inner levels.
bool is_plain_inner(const Rules& rules, int level);

// The team of `size` that the master forks at `level`, for all levels that are not plain inner
// ones, those beyond the rules too.
Team plan_team(const machine::Machine& machine, const Rules& rules, int level, const Place& master,
               int size);

// All teams of a plain inner level, for its masters in path order, with a size for each.
std::vector<Team> plan_level(const machine::Machine& machine, const Rules& rules, int level,
                             const std::vector<Place>& masters, const std::vector<int>& sizes);

// One enclosing team of a thread: its number there, and the team's real size.
struct Step {
  int number = 0;
  int size = 1;
  auto operator<=>(const Step&) const = default;
};
using Path = std::vector<Step>;

// The plan of a machine and rules: the teams of any path, each computed once. In a plan for a path
// the teams on it have their real sizes, all others the specification's.
class Plan {
 public:
  Plan(machine::Machine machine, Rules rules);

  const machine::Machine& machine() const { return machine_; }
  const Rules& rules() const { return rules_; }

  // The team of `size` that the thread at `path` forks. The reference is good as long as the plan.
  const Team& team(const Path& path, int size);

  // The place of the thread at `path`; the empty path is the initial thread.
  const Place& place(const Path& path);

  // The size that the next team of the thread at `path` has by the specification; 0 beyond it.
  int next_size(const Path& path);

 private:
  // All threads of one level in path order, and what each forks next.
  struct Masters {
    std::vector<Place> places;
    std::vector<Path> paths;
    std::vector<int> sizes;
    std::size_t own = 0;  // the one whose plan it is
  };
  Masters masters_on(const Path& path, int size);
  bool as_specified(const Path& path, int size);
  const Team& plain_inner_team(const Path& path, int size);

  machine::Machine machine_;
  Rules rules_;
  Place root_;
  std::map<std::pair<Path, int>, Team> teams_;
};

}  // namespace nestbind::plan
