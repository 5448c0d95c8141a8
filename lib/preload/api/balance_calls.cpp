// SPDX-License-Identifier: BSD-3-Clause
// The C interface of balancing: include/nestbind/balance.h. This file checks the arguments and
// provides the memory.
#include <nestbind/balance.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "balance/assign.hpp"
#include "placement/questions.hpp"
#include "process/message.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"
#include "support/floating_point.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using nestbind::balance::Machine;
using nestbind::balance::Objects;

// Linux supports no more nodes.
constexpr int kMostNodes = 1024;

constexpr double kDefaultTolerance = 0.02;

// Prints only the first fault in a process.
bool tell(const nestbind::balance::Fault& fault) {
  static std::atomic<bool> has_told{false};
  if (fault.array == nullptr || has_told.exchange(true)) {
    return fault.array != nullptr;
  }
  using nestbind::process::Severity;
  if (fault.index < 0) {
    nestbind::process::say(Severity::kError, "nestbind_balance: %s: %s", fault.array,
                           fault.expected);
  } else {
    nestbind::process::say(Severity::kError, "nestbind_balance: %s[%ld] is %.16g: %s", fault.array,
                           fault.index, fault.value, fault.expected);
  }
  return true;
}

template <typename Number>
class Numbers {
 public:
  explicit Numbers(std::size_t count) : numbers_(nestbind::support::allocate<Number>(count + 1)) {}
  ~Numbers() { free(numbers_); }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  Number* get() const { return numbers_; }

 private:
  Number* numbers_;
};

struct Wish {
  int algorithm;
  nestbind::balance::Rules rules;  // alpha 0: the usual alpha
  int slots;
  const int* slot;
};

bool is_amount(double number) { return number >= 0 && number <= nestbind::balance::kLargest; }

// Returns the number of migrations, or the negative number of an error.
int balance_on(const Objects& objects, const Machine& machine, const Wish& wish, int* place) {
  namespace balance = nestbind::balance;
  if (tell(balance::fault_of(machine)) || tell(balance::fault_of(objects, machine, place))) {
    return -NESTBIND_BAD_ARGUMENT;
  }
  if (!balance::has_load(objects)) {
    return 0;
  }
  const std::size_t bytes = balance::work_bytes(objects.count, machine);
  const Numbers<double> memory(bytes / sizeof(double));
  if (memory.get() == nullptr) {
    return -NESTBIND_NO_MEMORY;
  }
  const balance::Work work = balance::work_in(memory.get(), objects.count, machine);
  balance::Rules rules = wish.rules;
  rules.alpha = rules.alpha > 0 ? rules.alpha : balance::usual_alpha(objects);
  using balance::Algorithm;
  const Algorithm algorithm = wish.algorithm == NESTBIND_BALANCE_GREEDY   ? Algorithm::kGreedy
                              : wish.algorithm == NESTBIND_BALANCE_REFINE ? Algorithm::kRefine
                                                                          : Algorithm::kNuma;
  return balance::assign(algorithm, objects, machine, rules, work, place);
}

int balance_on_given(const Objects& objects, const nestbind_balance_machine& given,
                     const Wish& wish, int* place) {
  if (given.slots < 1 || given.nodes < 1 || given.nodes > kMostNodes) {
    return -NESTBIND_BAD_ARGUMENT;
  }
  Machine machine{given.slots, given.nodes, given.node, given.factor};
  const auto nodes = static_cast<std::size_t>(given.nodes);
  const Numbers<double> ones(given.factor == nullptr ? nodes * nodes : 0);
  if (ones.get() == nullptr) {
    return -NESTBIND_NO_MEMORY;
  }
  if (given.factor == nullptr) {
    for (std::size_t i = 0; i < nodes * nodes; ++i) {
      ones.get()[i] = 1;
    }
    machine.factor = ones.get();
  }
  return balance_on(objects, machine, wish, place);
}

int balance_on_some(const Objects& objects, const Machine& machine, const Wish& wish, int* place) {
  if (wish.slots > machine.slots) {  // so the list has a slot twice
    return -NESTBIND_BAD_ARGUMENT;
  }
  const auto some = static_cast<std::size_t>(wish.slots);
  const auto objects_count = static_cast<std::size_t>(objects.count);
  const Numbers<int> node(some);
  // For each slot of the machine, its index in the caller's list plus 1, or 0 if not listed.
  const Numbers<int> index(static_cast<std::size_t>(machine.slots));
  const Numbers<int> inside(objects_count);
  if (node.get() == nullptr || index.get() == nullptr || inside.get() == nullptr) {
    return -NESTBIND_NO_MEMORY;
  }
  for (int i = 0; i < wish.slots; ++i) {
    const int slot = wish.slot[i];
    const bool is_slot = slot >= 0 && slot < machine.slots;
    if (!is_slot || index.get()[slot] != 0) {
      tell({"slot", i, is_slot ? "it is named twice" : "there is no such slot",
            static_cast<double>(slot)});
      return -NESTBIND_BAD_ARGUMENT;
    }
    index.get()[slot] = i + 1;
    node.get()[i] = machine.node[slot];
  }
  for (std::size_t i = 0; i < objects_count; ++i) {
    const bool is_slot = place[i] >= 0 && place[i] < machine.slots;
    inside.get()[i] = is_slot ? index.get()[place[i]] - 1 : -1;
    if (inside.get()[i] < 0) {
      tell({"place", static_cast<long>(i), "the list of slots does not contain this slot",
            static_cast<double>(place[i])});
      return -NESTBIND_BAD_ARGUMENT;
    }
  }
  const int moved = balance_on(objects, {wish.slots, machine.nodes, node.get(), machine.factor},
                               wish, inside.get());
  for (std::size_t i = 0; moved >= 0 && i < objects_count; ++i) {
    place[i] = wish.slot[inside.get()[i]];
  }
  return moved;
}

// The machine's node numbers, each once.
struct Nodes {
  int count = 0;
  int number[kMostNodes];

  // Returns the index of a node number, or -1 if there is no room.
  int place_of(int wanted) {
    for (int i = 0; i < count; ++i) {
      if (number[i] == wanted) {
        return i;
      }
    }
    if (count == kMostNodes) {
      return -1;
    }
    number[count] = wanted;
    return count++;
  }
};

int balance_here(Objects objects, const Wish& wish, int* place) {
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  if (asked.error != NESTBIND_OK) {
    return -asked.error;
  }
  const nestbind::PlannerApi& planner = *asked.planner;
  const int slots = planner.slots(asked.geometry);
  const auto factor_between = [&](int from, int to) {
    return planner.numa_factor(asked.geometry, from, to);
  };
  const Numbers<int> node(static_cast<std::size_t>(slots));
  const Numbers<int> home(objects.home == nullptr ? 0 : static_cast<std::size_t>(objects.count));
  if (node.get() == nullptr || home.get() == nullptr) {
    return -NESTBIND_NO_MEMORY;
  }
  const int error = nestbind::placement::nodes_of_slots(asked, node.get(), slots);
  if (error != NESTBIND_OK) {
    return -error;
  }
  Nodes nodes;
  for (int slot = 0; slot < slots; ++slot) {
    node.get()[slot] = nodes.place_of(node.get()[slot]);  // there is room for all nodes
  }
  if (objects.home != nullptr) {
    for (int i = 0; i < objects.count; ++i) {
      const int wanted = objects.home[i];
      const bool is_node = wanted >= 0 && factor_between(wanted, wanted) > 0;
      home.get()[i] = is_node ? nodes.place_of(wanted) : -1;
    }
    objects.home = home.get();
  }
  const auto count = static_cast<std::size_t>(nodes.count);
  const Numbers<double> factor(count * count);
  if (factor.get() == nullptr) {
    return -NESTBIND_NO_MEMORY;
  }
  for (std::size_t i = 0; i < count * count; ++i) {
    const double known = factor_between(nodes.number[i / count], nodes.number[i % count]);
    factor.get()[i] = known > 0 ? known : 1;
  }
  const Machine machine{slots, nodes.count, node.get(), factor.get()};
  return wish.slot == nullptr ? balance_on(objects, machine, wish, place)
                              : balance_on_some(objects, machine, wish, place);
}

bool is_good(const nestbind_balance_options& options) {
  const bool names_slots = options.slot != nullptr;
  return options.algorithm >= NESTBIND_BALANCE_NUMA &&
         options.algorithm <= NESTBIND_BALANCE_REFINE && is_amount(options.alpha) &&
         options.tolerance <= nestbind::balance::kLargest && options.most_moves >= 0 &&
         is_amount(options.move_price) && (names_slots ? options.slots > 0 : options.slots == 0) &&
         !(names_slots && options.machine != nullptr);
}

}  // namespace

NESTBIND_EXPORT int nestbind_balance(const struct nestbind_objects* given,
                                     const struct nestbind_balance_options* options, int* place) {
  const nestbind::support::ErrnoKept errno_kept;
  const nestbind::support::UsualFloatingPoint usual;  // comparing a NaN may trap
  const nestbind_balance_options chosen =
      options == nullptr ? nestbind_balance_options{} : *options;
  if (given == nullptr || !is_good(chosen)) {
    return -NESTBIND_BAD_ARGUMENT;
  }
  const Objects objects{given->count,    given->load, given->first,        given->other,
                        given->messages, given->home, given->home_messages};
  if (tell(nestbind::balance::fault_of(objects)) || (objects.count > 0 && place == nullptr)) {
    return -NESTBIND_BAD_ARGUMENT;
  }
  const double tolerance = chosen.tolerance == 0 ? kDefaultTolerance : chosen.tolerance;
  const int most = chosen.most_moves == 0 ? -1 : chosen.most_moves;
  const Wish wish{chosen.algorithm,
                  {chosen.alpha, std::max(tolerance, 0.0), chosen.move_price, most},
                  chosen.slots,
                  chosen.slot};
  return chosen.machine == nullptr ? balance_here(objects, wish, place)
                                   : balance_on_given(objects, *chosen.machine, wish, place);
}
