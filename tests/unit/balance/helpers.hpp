// SPDX-License-Identifier: BSD-3-Clause
// Short forms for tests of balancing.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "balance/assign.hpp"
#include "balance/objects.hpp"

namespace nestbind::balance::test {

using Ints = std::vector<int>;
using Numbers = std::vector<double>;
using Random = std::mt19937_64;

inline int below(Random& random, int bound) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
}

inline bool are_good(const Objects& objects) { return fault_of(objects).array == nullptr; }
inline bool is_good(const Machine& machine) { return fault_of(machine).array == nullptr; }
inline bool fit(const Objects& objects, const Machine& machine, const int* place) {
  return fault_of(objects, machine, place).array == nullptr;
}

// An empty array is a null pointer in view().
struct Given {
  Numbers load;
  Ints first;
  Ints other;
  Numbers messages;
  Ints home;
  Numbers home_messages;

  template <typename List>
  static auto data(const List& list) {
    return list.empty() ? nullptr : list.data();
  }
  Objects view() const {
    return {static_cast<int>(load.size()),
            data(load),
            data(first),
            data(other),
            data(messages),
            data(home),
            data(home_messages)};
  }
};

struct Slots {
  Ints node;
  int nodes = 1;
  Numbers factor;
  Machine view() const {
    return {static_cast<int>(node.size()), nodes, node.data(), factor.data()};
  }
};

// `factor` is the same for each pair of different nodes.
inline Slots slots(int nodes, int each, double factor) {
  Slots result;
  result.nodes = nodes;
  for (int slot = 0; slot < nodes * each; ++slot) {
    result.node.push_back(slot / each);
  }
  for (int pair = 0; pair < nodes * nodes; ++pair) {
    result.factor.push_back(pair / nodes == pair % nodes ? 1 : factor);
  }
  return result;
}

class Room {
 public:
  Room(int objects, const Machine& machine)
      : bytes_(work_bytes(objects, machine) / sizeof(double) + 1),
        work_(work_in(bytes_.data(), objects, machine)) {}
  const Work& work() const { return work_; }

 private:
  Numbers bytes_;
  Work work_;
};

struct Done {
  int moved = 0;
  Ints place;
  bool operator==(const Done&) const = default;
};

template <typename Algorithm>
Done by(const Objects& objects, const Machine& machine, const Ints& place, Algorithm algorithm) {
  const Room room(objects.count, machine);
  Done done{0, place};
  done.moved = algorithm(room.work(), done.place.data());
  return done;
}

inline Done by_numa(const Objects& objects, const Machine& machine, const Ints& place,
                    double alpha) {
  return by(objects, machine, place,
            [&](const Work& work, int* to) { return numa(objects, machine, alpha, work, to); });
}

inline Done by_greedy(const Objects& objects, const Machine& machine, const Ints& place) {
  return by(objects, machine, place,
            [&](const Work& work, int* to) { return greedy(objects, machine, work, to); });
}

inline Done by_refine(const Objects& objects, const Machine& machine, const Ints& place,
                      double tolerance) {
  return by(objects, machine, place, [&](const Work& work, int* to) {
    return refine(objects, machine, {.tolerance = tolerance}, work, to);
  });
}

inline Done by_rules(Algorithm algorithm, const Objects& objects, const Machine& machine,
                     const Ints& place, const Rules& rules) {
  return by(objects, machine, place, [&](const Work& work, int* to) {
    return assign(algorithm, objects, machine, rules, work, to);
  });
}

inline Worth worth(const Objects& objects, const Machine& machine, const Ints& place) {
  Numbers load(static_cast<std::size_t>(machine.slots));
  return worth_of(objects, machine, place.data(), load.data());
}

}  // namespace nestbind::balance::test
