// SPDX-License-Identifier: BSD-3-Clause
// What the strategies mean: ways to divide slots among the threads of a team, and a table of them.
// Inside lib/planner/plan only.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

using Slots = std::vector<int>;

// Thread i of `threads` gets members floor(i S / T) to floor((i+1) S / T) - 1 of the S in `set`;
// where there are more threads than slots, member floor(i S / T) alone.
std::vector<Slots> divide_by_number(const Slots& set, int threads);

// Scatter: divides `set` (ascending) down the tree, as evenly as whole objects allow. Where
// threads x need slots are not there, the need is what everybody can have.
std::vector<Slots> scatter(const machine::Machine& machine, const Slots& set, int threads,
                           long need);

// Compact: consecutive blocks of `need` slots from the first slot of `set` on (ascending).
std::vector<Slots> compact(const machine::Machine& machine, const Slots& set, int threads,
                           long need);

// Cuts `blocks` blocks of `need` consecutive members of `order`, none of which straddles an object
// that has room for a whole block, unless `first_anywhere` lets the first begin at once. Where they
// do not fit, the smallest kind of object is given up first. order.size() >= blocks x need.
std::vector<Slots> cut_blocks(const machine::Machine& machine, const Slots& order, int blocks,
                              long need, bool first_anywhere);

// `slots` without those in `taken`.
Slots without(const Slots& slots, const Slots& taken);

// Strategy::others of scatter and compact.
std::vector<Slots> scatter_others(const machine::Machine& machine, const Slots& free,
                                  const Slots& own, int primary, int size, long need);
std::vector<Slots> compact_others(const machine::Machine& machine, const Slots& free,
                                  const Slots& own, int primary, int size, long need);

struct Strategy {
  // Of a rule: the slots that each thread is to have where a set is divided.
  long Rule::* need;

  // Divides a set of slots (ascending) among the threads of a team, the primary thread's part
  // first.
  std::vector<Slots> (*divide)(const machine::Machine& machine, const Slots& set, int threads,
                               long need);

  // The shares of threads 1, 2, ... of an inner team that draws on the whole machine, out of the
  // free slots; `own` are those that its primary thread, on slot `primary`, keeps. Null: teams stay
  // in their primary thread's default domain, and so count in the need of the level above.
  std::vector<Slots> (*others)(const machine::Machine& machine, const Slots& free, const Slots& own,
                               int primary, int size, long need);
};

const Strategy& meaning_of(spec::Strategy strategy);

inline bool stays_in_default_domain(spec::Strategy strategy) {
  return meaning_of(strategy).others == nullptr;
}

}  // namespace nestbind::plan
