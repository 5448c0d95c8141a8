// SPDX-License-Identifier: BSD-3-Clause
// Plans a specification on a machine, for teams with the specification's sizes.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"

namespace planned {

struct Setup {
  std::string machine;  // a name in tests/machines without ".xml", a path, or a description
  std::string cpus;     // "0-4,7"; all processors if empty
  int smt = 0;
  nestbind::machine::CoreChoice cores = nestbind::machine::CoreChoice::kAuto;
};

nestbind::machine::Topology topology(const Setup& setup);
nestbind::plan::Plan plan(const Setup& setup, const std::string& text);

// The primary threads of the deepest teams, in path order.
std::vector<nestbind::plan::Path> primaries(nestbind::plan::Plan& plan);

// Returns a row for each team of the deepest level: "0 1 / 4 5". A slot with several processors is
// written as {0,8}.
std::string rows(nestbind::plan::Plan& plan);
std::string rows(const Setup& setup, const std::string& text);

std::string processors(const nestbind::plan::Plan& plan,
                       const nestbind::plan::PlannedSlot& planned);

}  // namespace planned
