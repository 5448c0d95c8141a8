// SPDX-License-Identifier: BSD-3-Clause
// What a placement is worth.
#pragma once

#include "balance/objects.hpp"

namespace nestbind::balance {

struct Worth {
  double heaviest = 0;         // load of the heaviest slot
  double mean = 0;             // over all slots
  double messages = 0;         // of all objects, home's among them
  double remote_messages = 0;  // those that go to another node
  // How much longer a step takes than one that is balanced perfectly; 1 where there is no load.
  double imbalance() const { return mean > 0 ? heaviest / mean : 1; }
};

// load: room for a number for each slot. All else as for assign.hpp.
Worth worth_of(const Objects& objects, const Machine& machine, const int* place, double* load);

}  // namespace nestbind::balance
