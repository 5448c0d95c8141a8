// SPDX-License-Identifier: BSD-3-Clause
// A specification's layout on a machine, as data, text and JSON: the output of `nestbind plan`.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "plan/order.hpp"
#include "spec/spec.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::show {

struct TeamRow {
  std::vector<int> primary;  // path of the primary thread; empty: the initial thread
  std::vector<int> slots;    // of the members in order
  bool is_bound = true;      // false: a team of one, whose thread was never in a larger team
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
  bool is_bound = true;        // as in its team
};

struct Layout {
  std::string summary;  // of the machine
  std::string spec;     // canonical
  machine::Machine machine;
  std::vector<LevelRows> levels;
  std::vector<ThreadRow> threads;  // in path order
  std::vector<std::string> warnings;
  std::string order;  // the file with the order of members; empty: plain order
  int quota = 0;      // limit of threads in sizes that are words; 0: none
};

// Notes about the order and the quota, one line each.
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

// smt: slots per core; 0: as many as the sizes need. shape: the team sizes, the outermost first;
// empty: the specification's sizes, in which "*" counts as "core". Throws what Topology throws.
Layout make_layout(const spec::Spec& spec, const machine::Topology& topology, int smt,
                   machine::CoreChoice cores, const plan::Order& order = {},
                   const std::vector<int>& shape = {}, int quota = 0);

// In layout_forms.cpp, for people: the machine, notes, warnings, and a table for each level.
std::string text_of(const Layout& layout);

// In layout_forms.cpp, for programs:
// {"spec", "slots", "distances" ("probed", if they are not the firmware's), "quota" (if there is
//  one), "warnings", "threads": [{"path", "cpus", "bound", "core", "package", "numa", "share"}]}
std::string json_of(const Layout& layout);

}  // namespace nestbind::show
