// SPDX-License-Identifier: BSD-3-Clause
#include "balance/objects.hpp"

#include <algorithm>
#include <cstddef>

namespace nestbind::balance {

namespace {

// False for what is no number, too.
bool is_amount(double number) { return number >= 0 && number <= kLargest; }

// Null: as if all were 1.
bool are_amounts(const double* numbers, std::size_t count) {
  for (std::size_t i = 0; numbers != nullptr && i < count; ++i) {
    if (!is_amount(numbers[i])) {
      return false;
    }
  }
  return true;
}

bool are_below(const int* numbers, std::size_t count, int least, int end) {
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] < least || numbers[i] >= end) {
      return false;
    }
  }
  return true;
}

bool is_graph(const Objects& objects) {
  if (objects.first == nullptr) {
    return true;
  }
  if (objects.first[0] != 0) {
    return false;
  }
  for (int i = 0; i < objects.count; ++i) {
    if (objects.first[i + 1] < objects.first[i]) {
      return false;
    }
  }
  const auto edges = static_cast<std::size_t>(objects.first[objects.count]);
  return (edges == 0 || objects.other != nullptr) &&
         are_below(objects.other, edges, 0, objects.count) && are_amounts(objects.messages, edges);
}

}  // namespace

bool are_good(const Objects& objects) {
  const auto count = static_cast<std::size_t>(objects.count);
  return objects.count >= 0 && (objects.count == 0 || objects.load != nullptr) &&
         are_amounts(objects.load, count) && is_graph(objects) &&
         are_amounts(objects.home_messages, count);
}

bool is_good(const Machine& machine) {
  if (machine.slots < 1 || machine.nodes < 1 || machine.node == nullptr ||
      machine.factor == nullptr) {
    return false;
  }
  const auto nodes = static_cast<std::size_t>(machine.nodes);
  return are_below(machine.node, static_cast<std::size_t>(machine.slots), 0, machine.nodes) &&
         are_amounts(machine.factor, nodes * nodes);
}

bool fit(const Objects& objects, const Machine& machine, const int* place) {
  const auto count = static_cast<std::size_t>(objects.count);
  return (count == 0 || place != nullptr) && are_below(place, count, 0, machine.slots) &&
         (objects.home == nullptr || are_below(objects.home, count, -1, machine.nodes));
}

bool has_load(const Objects& objects) {
  for (int i = 0; i < objects.count; ++i) {
    if (objects.load[i] > 0) {
      return true;
    }
  }
  return false;
}

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
