// SPDX-License-Identifier: BSD-3-Clause
#include "balance/measure.hpp"

#include <algorithm>

namespace nestbind::balance {

namespace {

void add(Worth& worth, double messages, bool is_remote) {
  worth.messages += messages;
  worth.remote_messages += is_remote ? messages : 0;
}

}  // namespace

Worth worth_of(const Objects& objects, const Machine& machine, const int* place, double* load) {
  Worth worth;
  std::fill(load, load + machine.slots, 0.0);
  double all = 0;
  for (int object = 0; object < objects.count; ++object) {
    load[place[object]] += objects.load[object];
    all += objects.load[object];
    const int node = machine.node[place[object]];
    const int begin = objects.first == nullptr ? 0 : objects.first[object];
    const int end = objects.first == nullptr ? 0 : objects.first[object + 1];
    for (int i = begin; i < end; ++i) {
      if (objects.other[i] != object) {
        add(worth, objects.messages == nullptr ? 1 : objects.messages[i],
            machine.node[place[objects.other[i]]] != node);
      }
    }
    if (objects.home != nullptr && objects.home[object] >= 0) {
      add(worth, objects.home_messages == nullptr ? 1 : objects.home_messages[object],
          objects.home[object] != node);
    }
  }
  worth.heaviest = *std::max_element(load, load + machine.slots);
  worth.mean = all / machine.slots;
  return worth;
}

}  // namespace nestbind::balance
