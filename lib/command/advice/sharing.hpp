// SPDX-License-Identifier: BSD-3-Clause
// Which objects the members of teams share, computed from the planned places.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "show/layout.hpp"

namespace nestbind::advice {

// The kinds of objects to compare, the smallest first.
enum Shared { kCore, kL2, kL3, kNuma, kPackage, kSharedKinds };

// Returns the number of the object of this kind around a slot, or -1.
int object_of(const machine::Slot& slot, Shared kind);

struct Sharing {
  int teams = 0;  // teams of two or more members
  int smallest = 0;
  int largest = 0;
  struct Of {
    int objects = 0;
    int within_one = 0;  // number of teams with all members in one object
    int fewest = 0;
    int most = 0;
    bool is_apart = false;  // whether no object has members of two teams
  };
  std::array<Of, kSharedKinds> of;
  int shared_slots = 0;
};

Sharing sharing_of(const machine::Machine& machine, const std::vector<show::TeamRow>& teams);

// The text follows "each team" or "the team" in a sentence: "within one L3 cache and one NUMA
// node".
std::string within(const Sharing& sharing);

std::string between(const Sharing& sharing);

}  // namespace nestbind::advice
