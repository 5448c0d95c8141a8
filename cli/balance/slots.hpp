// SPDX-License-Identifier: BSD-3-Clause
// A machine's slots and distances, as lib/balance takes them.
#pragma once

#include <vector>

#include "balance/objects.hpp"
#include "machine/machine.hpp"
#include "machine/numa_nodes.hpp"

namespace nestbind::cli::balance {

class Slots {
 public:
  Slots(const machine::Machine& machine, const machine::NumaNodes& nodes);

  nestbind::balance::Machine view() const;

  // The place of one of the machine's nodes; -1: it has none of this number.
  int place_of(int number) const;

 private:
  std::vector<int> numbers_;  // of the nodes
  std::vector<int> node_;     // of each slot, by its place there
  std::vector<double> factor_;
};

}  // namespace nestbind::cli::balance
