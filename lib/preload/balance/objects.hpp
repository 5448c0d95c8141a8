// SPDX-License-Identifier: BSD-3-Clause
// Objects with loads and messages, and slots of NUMA nodes, in arrays of the caller.
#pragma once

namespace nestbind::balance {

// Loads, messages, factors and seconds are 0 to kLargest, so that sums and products are finite.
inline constexpr double kLargest = 1e15;

// Object i sends messages[k] messages to object other[k], for each k in [first[i], first[i + 1]).
// Messages between two objects are listed for both objects. If `first` is null, there are no
// messages. If `messages` or `home_messages` is null, each of its numbers counts as 1. If `home` is
// null, no object has a home.
struct Objects {
  int count = 0;
  const double* load = nullptr;
  const int* first = nullptr;  // count + 1 numbers, the first is 0
  const int* other = nullptr;
  const double* messages = nullptr;
  const int* home = nullptr;  // the node of each object's data, or -1
  const double* home_messages = nullptr;
};

struct Machine {
  int slots = 0;
  int nodes = 0;
  const int* node = nullptr;
  // factor[a * nodes + b]: the cost of a message from node a to node b. The unit is the cost of a
  // message within node a, so factor[a * nodes + a] is 1.
  const double* factor = nullptr;
};

// The first wrong number, its array (null if there is no fault), and what is expected there.
struct Fault {
  const char* array = nullptr;
  long index = -1;  // -1: the array itself is wrong
  const char* expected = nullptr;
  double value = 0;
};
// `place` has the slot of each object.
Fault fault_of(const Objects& objects);
Fault fault_of(const Machine& machine);
Fault fault_of(const Objects& objects, const Machine& machine, const int* place);

// Without loads, the algorithms put all objects onto the first slot.
bool has_load(const Objects& objects);

struct Worth {
  double heaviest = 0;
  double mean = 0;
  double messages = 0;
  double remote_messages = 0;
  // 1: perfectly balanced, or no load.
  double imbalance() const { return mean > 0 ? heaviest / mean : 1; }
};

// `load` has room for one number for each slot.
Worth worth_of(const Objects& objects, const Machine& machine, const int* place, double* load);

}  // namespace nestbind::balance
