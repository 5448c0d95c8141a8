// SPDX-License-Identifier: BSD-3-Clause
// A specification's layout on a machine, as data, text and JSON: the output of `nestbind plan`.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "plan/teams.hpp"
#include "spec/spec.hpp"
#include "support/verdict_words.hpp"

namespace nestbind::show {

struct TeamRow {
  std::vector<int> primary;  // path of the primary thread; empty for the initial thread
  std::vector<int> slots;
  bool is_bound = true;  // false for a team of one that binds nobody
};

struct LevelRows {
  std::string rule;
  std::vector<TeamRow> teams;
};

struct ThreadRow {
  std::vector<int> path;
  int slot = 0;
  std::vector<int> partition;
  bool is_bound = true;
};

struct Layout {
  std::string summary;
  std::string spec;
  machine::Machine machine;
  std::vector<LevelRows> levels;
  std::vector<ThreadRow> threads;  // in path order
  std::vector<std::string> warnings;
  std::string order;  // the file with the order of members; empty for the plain order
  int quota = 0;      // the most threads that symbolic sizes may make (CPU quota); 0 for no limit
};

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

// If `shape` is empty, the teams have the sizes of the specification.
Layout make_layout(const spec::Spec& spec, const machine::Topology& topology, int smt,
                   machine::CoreChoice cores, const plan::Order& order = {},
                   const std::vector<int>& shape = {}, int quota = 0);

std::string text_of(const Layout& layout);

// Writes JSON for programs. "distances" and "quota" may be missing:
// {"spec", "slots", "distances": "probed", "quota",
//  "warnings", "threads": [{"path", "cpus", "bound", "core", "package", "numa", "share"}]}
std::string json_of(const Layout& layout);

// Writes a row for each thread. The columns are JSON's members; blanks separate the numbers of a
// list.
std::string csv_of(const Layout& layout);

}  // namespace nestbind::show
