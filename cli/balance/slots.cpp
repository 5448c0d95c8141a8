// SPDX-License-Identifier: BSD-3-Clause
#include "cli/balance/slots.hpp"

#include <algorithm>

#include "topology/geometry.hpp"

namespace nestbind::cli::balance {

Slots::Slots(const machine::Machine& machine, const machine::NumaNodes& nodes)
    : numbers_(nodes.numbers) {
  const topology::Geometry geometry(machine, nodes);
  for (const machine::Slot& slot : machine.slots) {
    if (place_of(slot.numa) < 0) {
      numbers_.push_back(slot.numa);  // in no node
    }
    node_.push_back(place_of(slot.numa));
  }
  for (const int from : numbers_) {
    for (const int to : numbers_) {
      const double known = geometry.numa_factor(from, to);
      factor_.push_back(known > 0 ? known : 1);
    }
  }
}

nestbind::balance::Machine Slots::view() const {
  return {static_cast<int>(node_.size()), static_cast<int>(numbers_.size()), node_.data(),
          factor_.data()};
}

int Slots::place_of(int number) const {
  const auto found = std::ranges::find(numbers_, number);
  return found == numbers_.end() ? -1 : static_cast<int>(found - numbers_.begin());
}

}  // namespace nestbind::cli::balance
