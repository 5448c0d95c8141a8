// SPDX-License-Identifier: BSD-3-Clause
// What is balanced: objects that take time and send messages, on slots of NUMA nodes. All arrays
// are the caller's.
#pragma once

namespace nestbind::balance {

// Loads, messages, factors and seconds are numbers from 0 to this one: sums and products of them
// are finite.
inline constexpr double kLargest = 1e15;

// The graph has object i's messages at [first[i], first[i + 1]) of `other` (to whom) and
// `messages` (how many). What two objects send to each other stands at both.
struct Objects {
  int count = 0;
  const double* load = nullptr;           // the time that each takes, in any unit
  const int* first = nullptr;             // count + 1, from 0 on; null: nobody sends anything
  const int* other = nullptr;             // may be null where there are no messages
  const double* messages = nullptr;       // null: one each
  const int* home = nullptr;              // the node of each object's data, -1: none; null: none
  const double* home_messages = nullptr;  // to that node; null: one each
};

struct Machine {
  int slots = 0;
  int nodes = 0;
  const int* node = nullptr;  // of each slot
  // What a message from node a to node b takes over one within a, at [a * nodes + b]; in a node 1.
  const double* factor = nullptr;
};

// The first number that is not what it has to be: in which array, and where. array null: none.
// expected: what an array has to have.
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

// Whether any object has a load. Where none has, nothing is known of them, and all slots cost the
// same: an algorithm would put them all onto the first one.
bool has_load(const Objects& objects);

// What a placement is worth.
struct Worth {
  double heaviest = 0;         // load of the heaviest slot
  double mean = 0;             // over all slots
  double messages = 0;         // of all objects, home's among them
  double remote_messages = 0;  // those that go to another node
  // How much longer a step takes than one that is balanced perfectly; 1 where there is no load.
  double imbalance() const { return mean > 0 ? heaviest / mean : 1; }
};

// load: room for a number for each slot. place: the slot of each object.
Worth worth_of(const Objects& objects, const Machine& machine, const int* place, double* load);

}  // namespace nestbind::balance
