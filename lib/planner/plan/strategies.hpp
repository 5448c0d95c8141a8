// SPDX-License-Identifier: BSD-3-Clause
// The strategies: functions that divide slots among the threads of a team.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

using Slots = std::vector<int>;

// Divides the S members of `set` into consecutive parts. Thread i of T threads gets the members
// floor(i S / T) to floor((i+1) S / T) - 1. If T > S, it gets only the member floor(i S / T).
std::vector<Slots> divide_by_number(const Slots& set, int threads);

// Scatter: divides `set` among the threads as evenly as possible, but avoids parts of objects.
// `set` must ascend.
std::vector<Slots> scatter(const machine::Machine& machine, const Slots& set, int threads,
                           long need);

// Compact: gives each thread a block of `need` consecutive slots. The first block begins at the
// first slot of `set`, which must ascend.
std::vector<Slots> compact(const machine::Machine& machine, const Slots& set, int threads,
                           long need);

// Cuts `order` into blocks of `need` consecutive members. A block does not cross the end of an
// object that has room for a block. If not all blocks fit, the smallest kind of object is ignored,
// then also the next kind. If `first_anywhere` is true, the first block may cross ends of objects.
// `order` must have enough members for all blocks.
std::vector<Slots> cut_blocks(const machine::Machine& machine, const Slots& order, int blocks,
                              long need, bool first_anywhere);

Slots without(const Slots& slots, const Slots& taken);

std::vector<Slots> scatter_others(const machine::Machine& machine, const Slots& free,
                                  const Slots& own, int primary, int size, long need);
std::vector<Slots> compact_others(const machine::Machine& machine, const Slots& free,
                                  const Slots& own, int primary, int size, long need);

struct Strategy {
  long Rule::* need;

  // Divides a set of slots (ascending) among a team's threads, the primary thread's part first.
  std::vector<Slots> (*divide)(const machine::Machine& machine, const Slots& set, int threads,
                               long need);

  // Gives free slots of the machine to threads 1, 2, ... of an inner team. If this pointer is null,
  // an inner team stays on the slots of its primary thread.
  std::vector<Slots> (*others)(const machine::Machine& machine, const Slots& free, const Slots& own,
                               int primary, int size, long need);
};

const Strategy& meaning_of(spec::Strategy strategy);

inline bool stays_in_default_domain(spec::Strategy strategy) {
  return meaning_of(strategy).others == nullptr;
}

}  // namespace nestbind::plan
