// SPDX-License-Identifier: BSD-3-Clause
// Who sits where by a specification on a machine, as data, and its forms: what `nestbind plan`
// prints.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "plan/order.hpp"
#include "spec/spec.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::show {

struct TeamRow {
  std::vector<int> primary;  // the path of the thread that forks it; empty: the initial thread
  std::vector<int> slots;    // of its members in order
  bool is_bound = true;      // false: a team of one, by a thread that has not been in a larger one
};

struct LevelRows {
  std::string rule;  // the level's part of the specification
  std::vector<TeamRow> teams;
};

// A member of a deepest team.
struct ThreadRow {
  std::vector<int> path;
  int slot = 0;
  std::vector<int> partition;  // slots, ascending
  bool is_bound = true;        // as its team
};

struct Layout {
  std::string summary;  // of the machine
  std::string spec;     // canonical
  machine::Machine machine;
  std::vector<LevelRows> levels;
  std::vector<ThreadRow> threads;  // in path order
  std::vector<std::string> warnings;
  std::string order;  // the file that says who takes whose place; empty: none does
  int quota = 0;      // of threads in sizes that are words; 0: none
};

// What is told of order and quota, a line without its end each.
inline std::vector<std::string> notes_of(const Layout& layout) {
  std::vector<std::string> notes;
  if (!layout.order.empty()) {
    notes.push_back("members are in the order of " + layout.order);
  }
  if (layout.quota > 0) {
    notes.push_back(std::string("CPU quota: ") + support::kWordsMakeAtMost + ' ' +
                    std::to_string(layout.quota) + (layout.quota == 1 ? " thread" : " threads"));
  }
  return notes;
}

// smt: slots a core, 0: as many as wanted. shape: the sizes of the teams that are forked, the
// outermost first; empty: the specification's, "*" counted as "core". Throws as Topology does.
Layout make_layout(const spec::Spec& spec, const machine::Topology& topology, int smt,
                   machine::CoreChoice cores, const plan::Order& order = {},
                   const std::vector<int>& shape = {}, int quota = 0);

// text.cpp: for people. A line on the machine, notes, warnings, then for each level a table with a
// row for each team.
std::string text_of(const Layout& layout);

// json.cpp: for programs.
// {"spec", "slots", "distances" (where they are not the firmware's: "probed"), "quota" (if there is
//  one), "warnings", "threads": [{"path", "cpus", "bound", "core", "package", "numa", "share"}]}
std::string json_of(const Layout& layout);

}  // namespace nestbind::show
