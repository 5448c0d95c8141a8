// SPDX-License-Identifier: BSD-3-Clause
// Draws specifications on machines.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/planned.hpp"

namespace drawn {

struct Setup {
  std::string machine;    // a name in tests/machines without ".xml", a path, or a description
  std::string cpus = {};  // "0-4,7"; all processors if empty
  int smt = 0;
  nestbind::machine::CoreChoice cores = nestbind::machine::CoreChoice::kAuto;
};

struct Planned {
  nestbind::machine::Hardware hardware;
  std::optional<std::vector<int>> allowed;
  nestbind::show::Layout layout;
  nestbind::show::Whole whole() const { return {hardware, allowed}; }
};
Planned plan(const Setup& setup, const std::string& spec);

nestbind::machine::Hardware hardware(const std::string& machine);

// Returns the picture of `nestbind plan`, in UTF-8 and without colour. A line break comes first, as
// in the tests' raw literals.
std::string picture(const Setup& setup, const std::string& spec,
                    const nestbind::show::Canvas& canvas = {});

// Returns the picture of threads that have no plan. Leaves out the lines above the picture.
std::string picture(const std::string& machine,
                    const std::vector<nestbind::show::Occupant>& occupants,
                    const nestbind::show::Canvas& canvas = {});

}  // namespace drawn
