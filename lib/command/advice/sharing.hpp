// SPDX-License-Identifier: BSD-3-Clause
// What the members of teams have in common, by where the plan puts them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "show/layout.hpp"

namespace nestbind::advice {

// The kinds of objects that count, the smallest first.
enum Shared { kCore, kL2, kL3, kNuma, kPackage, kSharedKinds };

// "core", "L2 cache", "L3 cache", "NUMA node", "package"; with a number before it: "4 packages".
const char* name(Shared kind);
std::string counted(int count, Shared kind);

// The number of a slot's object of a kind; -1: it is in none.
int object_of(const machine::Slot& slot, Shared kind);

struct Sharing {
  int teams = 0;     // of two or more members
  int smallest = 0;  // members that such a team has at least, and at most
  int largest = 0;
  struct Of {
    int objects = 0;     // that the slots of the machine have
    int within_one = 0;  // teams whose members are all in one object
    int fewest = 0;      // objects that a team is in, at least and at most
    int most = 0;
    bool is_apart = false;  // no object has members of two teams
  };
  std::array<Of, kSharedKinds> of;
  int shared_slots = 0;  // slots on which members of several of these teams sit
};

// Of the teams of one level.
Sharing sharing_of(const machine::Machine& machine, const std::vector<show::TeamRow>& teams);

// What is worth saying of the members of each team, as a part of a sentence that begins with "each
// team" or "the team": "within one L3 cache and one NUMA node". Empty where there are no teams.
std::string within(const Sharing& sharing);

// Of the teams among each other: "no package has members of two teams". Empty where there are not
// several.
std::string between(const Sharing& sharing);

}  // namespace nestbind::advice
