// SPDX-License-Identifier: BSD-3-Clause
#include "balance/objects.hpp"

#include <algorithm>
#include <cstddef>

namespace nestbind::balance {

namespace {

// Also returns false for NaN.
bool is_amount(double number) { return number >= 0 && number <= kLargest; }

constexpr char kAmount[] = "expected a number from 0 to 1e15";
constexpr char kMissing[] = "it is null";

Fault fault_in(const char* array, const double* numbers, std::size_t count) {
  for (std::size_t i = 0; numbers != nullptr && i < count; ++i) {
    if (!is_amount(numbers[i])) {
      return {array, static_cast<long>(i), kAmount, numbers[i]};
    }
  }
  return {};
}

Fault fault_in(const char* array, const int* numbers, std::size_t count, int least, int end,
               const char* expected) {
  if (count > 0 && numbers == nullptr) {
    return {array, -1, kMissing};
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] < least || numbers[i] >= end) {
      return {array, static_cast<long>(i), expected, static_cast<double>(numbers[i])};
    }
  }
  return {};
}

Fault or_else(const Fault& fault, const Fault& other) {
  return fault.array != nullptr ? fault : other;
}

Fault fault_of_graph(const Objects& objects) {
  if (objects.first == nullptr) {
    return {};
  }
  if (objects.first[0] != 0) {
    return {"first", 0, "expected 0", static_cast<double>(objects.first[0])};
  }
  for (int i = 0; i < objects.count; ++i) {
    if (objects.first[i + 1] < objects.first[i]) {
      return {"first", i + 1, "expected at least the number before it",
              static_cast<double>(objects.first[i + 1])};
    }
  }
  const auto edges = static_cast<std::size_t>(objects.first[objects.count]);
  return or_else(
      fault_in("other", objects.other, edges, 0, objects.count, "there is no such object"),
      fault_in("messages", objects.messages, edges));
}

void add(Worth& worth, double messages, bool is_remote) {
  worth.messages += messages;
  worth.remote_messages += is_remote ? messages : 0;
}

}  // namespace

Fault fault_of(const Objects& objects) {
  const auto count = static_cast<std::size_t>(objects.count);
  if (objects.count < 0) {
    return {"count", -1, "it is below 0"};
  }
  if (objects.count > 0 && objects.load == nullptr) {
    return {"load", -1, kMissing};
  }
  return or_else(
      fault_in("load", objects.load, count),
      or_else(fault_of_graph(objects), fault_in("home_messages", objects.home_messages, count)));
}

Fault fault_of(const Machine& machine) {
  if (machine.slots < 1 || machine.nodes < 1) {
    return {machine.slots < 1 ? "machine.slots" : "machine.nodes", -1, "it is below 1"};
  }
  if (machine.factor == nullptr) {
    return {"machine.factor", -1, kMissing};
  }
  const auto nodes = static_cast<std::size_t>(machine.nodes);
  return or_else(fault_in("machine.node", machine.node, static_cast<std::size_t>(machine.slots), 0,
                          machine.nodes, "there is no such node"),
                 fault_in("machine.factor", machine.factor, nodes * nodes));
}

Fault fault_of(const Objects& objects, const Machine& machine, const int* place) {
  const auto count = static_cast<std::size_t>(objects.count);
  const Fault fault = fault_in("place", place, count, 0, machine.slots, "there is no such slot");
  return objects.home == nullptr ? fault
                                 : or_else(fault, fault_in("home", objects.home, count, -1,
                                                           machine.nodes, "there is no such node"));
}

bool has_load(const Objects& objects) {
  for (int i = 0; i < objects.count; ++i) {
    if (objects.load[i] > 0) {
      return true;
    }
  }
  return false;
}

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
