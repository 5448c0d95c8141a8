// SPDX-License-Identifier: BSD-3-Clause
// Explains each level of a specification in words. The words describe the plan on a machine. Says
// how other tools' variables and commands produce the same layout, or why they cannot.
#pragma once

#include <string>
#include <vector>

#include "advice/native_partition.hpp"
#include "machine/machine_topology.hpp"
#include "show/layout.hpp"
#include "spec/spec.hpp"

namespace nestbind::advice {

struct Equivalent {
  std::string tool;
  bool is_equal = false;  // each member of the deepest teams has its planned processors
  std::string line;
  std::string reason;
};

// Returns the settings that produce the layout without nestbind, for a program on one runtime.
// machine_cores: the cores that the process may use, as slots, in the machine's order.
std::vector<Equivalent> equivalents(const show::Layout& layout,
                                    const std::vector<machine::Slot>& machine_cores,
                                    Runtime runtime);

// Three or more places at equal steps are one item ("{0}:16:1").
std::string places_text(const std::vector<std::vector<int>>& places);

// Sentences about a level, without full stops. A text is empty if there is nothing to say.
struct LevelWords {
  std::string rule;
  std::string where;
  std::string shares;  // which objects the members of a team share
  std::string apart;   // which objects different teams share
  std::string beyond;  // what happens to a team that is larger than specified
};

struct OfRuntime {
  Runtime runtime;
  std::vector<Equivalent> rows;
};

struct Explanation {
  std::string machine;
  std::string spec;
  std::vector<LevelWords> levels;
  std::string fit;  // whether the sizes fit, and what happens if they do not
  std::string idle;
  std::vector<OfRuntime> equivalents;
};

// smt, shape: as for make_layout.
Explanation explain(const spec::Spec& spec, const machine::Topology& topology, int smt,
                    machine::CoreChoice cores, const std::vector<Runtime>& runtimes, int quota = 0,
                    const std::vector<int>& shape = {});

std::string text_of(const Explanation& explanation, int width = 100);

std::string json_of(const Explanation& explanation);

}  // namespace nestbind::advice
