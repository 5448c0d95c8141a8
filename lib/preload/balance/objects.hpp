// SPDX-License-Identifier: BSD-3-Clause
// What is balanced: objects with times and messages, on NUMA nodes' slots, in the caller's arrays.
#pragma once

namespace nestbind::balance {

// Loads, messages, factors and seconds are 0 to kLargest: their sums and products are finite.
inline constexpr double kLargest = 1e15;

// Object i's messages are at [first[i], first[i + 1]) of `other` (the receiver) and `messages` (how
// many). What two objects send to each other is listed with both.
struct Objects {
  int count = 0;
  const double* load = nullptr;      // the time that each takes, in any unit
  const int* first = nullptr;        // count + 1 numbers, the first is 0; null: no messages
  const int* other = nullptr;        // may be null if there are no messages
  const double* messages = nullptr;  // null: one each
  const int* home = nullptr;         // the node of each object's data; -1, or a null array: none
  const double* home_messages = nullptr;  // messages to that node; null: one each
};

struct Machine {
  int slots = 0;
  int nodes = 0;
  const int* node = nullptr;  // of each slot
  // At [a * nodes + b]: the cost of a message from node a to node b, relative to a message within
  // a. Within a node: 1.
  const double* factor = nullptr;
};

// The first wrong number: its array and index. array null: none. expected: what must be there.
struct Fault {
  const char* array = nullptr;
  long index = -1;  // -1: the array itself
  const char* expected = nullptr;
  double value = 0;
};
// place: the slot of each object.
Fault fault_of(const Objects& objects);
Fault fault_of(const Machine& machine);
Fault fault_of(const Objects& objects, const Machine& machine, const int* place);

// Whether any object has a load. Otherwise nothing is known of the objects, and all slots cost the
// same: an algorithm would put all objects onto the first slot.
bool has_load(const Objects& objects);

// How good a placement is.
struct Worth {
  double heaviest = 0;         // load of the heaviest slot
  double mean = 0;             // over all slots
  double messages = 0;         // of all objects, also to their homes
  double remote_messages = 0;  // messages that go to another node
  // How many times as long a step takes as a perfectly balanced one; 1 if there is no load.
  double imbalance() const { return mean > 0 ? heaviest / mean : 1; }
};

// load: has room for a number for each slot. place: the slot of each object.
Worth worth_of(const Objects& objects, const Machine& machine, const int* place, double* load);

}  // namespace nestbind::balance
