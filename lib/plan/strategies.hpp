// SPDX-License-Identifier: BSD-3-Clause
// What the strategies mean. Inside lib/plan only.
#pragma once

#include "plan/divide.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

struct Strategy {
  // Of a rule: the slots that each thread is to have where a set is divided.
  long Rule::* need;

  // Divides a set of slots (ascending) among the threads of a team, the master's part first.
  std::vector<Slots> (*divide)(const machine::Machine& machine, const Slots& set, int threads,
                               long need);

  // The shares of threads 1, 2, ... of an inner team that draws on the whole machine, out of the
  // free slots; `own` are those that its master, on slot `master`, keeps. Null: teams stay in their
  // master's home, and so count in the need of the level above.
  std::vector<Slots> (*others)(const machine::Machine& machine, const Slots& free, const Slots& own,
                               int master, int size, long need);
};

const Strategy& meaning_of(spec::Strategy strategy);

inline bool stays_home(spec::Strategy strategy) { return meaning_of(strategy).others == nullptr; }

}  // namespace nestbind::plan
