// SPDX-License-Identifier: BSD-3-Clause
#include "balance/assign.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nestbind::balance {

namespace {

void order_by_load(const Objects& objects, int* order) {
  for (int i = 0; i < objects.count; ++i) {
    order[i] = i;
  }
  std::sort(order, order + objects.count, [&](int a, int b) {
    return objects.load[a] > objects.load[b] || (objects.load[a] == objects.load[b] && a < b);
  });
}

void put_nothing(const Machine& machine, double* load) {
  std::fill(load, load + machine.slots, 0.0);
}

void put_all(const Objects& objects, const Machine& machine, const int* place, double* load) {
  put_nothing(machine, load);
  for (int object = 0; object < objects.count; ++object) {
    load[place[object]] += objects.load[object];
  }
}

// All of work.messages is 0 before and after the call.
void find_costs(const Objects& objects, const Machine& machine, double alpha, int object,
                const int* place, const Work& work) {
  int* end = work.nodes;
  const auto add = [&](int node, double messages) {
    if (messages > 0 && work.messages[node] == 0) {
      *end++ = node;
    }
    work.messages[node] += messages;
  };
  if (objects.first != nullptr) {
    for (int i = objects.first[object]; i < objects.first[object + 1]; ++i) {
      if (objects.other[i] != object) {
        add(machine.node[place[objects.other[i]]],
            objects.messages == nullptr ? 1 : objects.messages[i]);
      }
    }
  }
  if (objects.home != nullptr && objects.home[object] >= 0) {
    add(objects.home[object], objects.home_messages == nullptr ? 1 : objects.home_messages[object]);
  }
  std::sort(work.nodes, end);  // so that sums do not depend on the order of the messages
  for (int here = 0; here < machine.nodes; ++here) {
    const double* factor = machine.factor + static_cast<std::ptrdiff_t>(here) * machine.nodes;
    double cost = 0;
    for (const int* there = work.nodes; there != end; ++there) {
      cost += *there == here ? -work.messages[*there] : work.messages[*there] * factor[*there];
    }
    work.cost[here] = alpha * cost;
  }
  for (const int* there = work.nodes; there != end; ++there) {
    work.messages[*there] = 0;
  }
}

class Lightest {
 public:
  Lightest(const Machine& machine, const Work& work) : machine_(machine), work_(work) {
    std::fill(work.first, work.first + machine.nodes + 1, 0);
    for (int slot = 0; slot < machine.slots; ++slot) {
      ++work.first[machine.node[slot] + 1];
    }
    std::partial_sum(work.first, work.first + machine.nodes + 1, work.first);
    std::copy(work.first, work.first + machine.nodes, work.lightest);
    for (int slot = 0; slot < machine.slots; ++slot) {
      work.slots[work.lightest[machine.node[slot]]++] = slot;
    }
    for (int node = 0; node < machine.nodes; ++node) {
      find(node);
    }
  }

  void add(int slot, double load) {
    work_.load[slot] += load;
    find(machine_.node[slot]);
  }

  int cheapest(int from, double price) const {
    int best = from;
    double least = work_.load[from] + work_.cost[machine_.node[from]];
    for (int node = 0; node < machine_.nodes; ++node) {
      const int slot = work_.lightest[node];
      if (slot < 0) {
        continue;
      }
      const double cost = work_.load[slot] + work_.cost[node] + price;
      if (cost < least || (cost == least && slot < best)) {
        least = cost;
        best = slot;
      }
    }
    return best;
  }

 private:
  void find(int node) {
    const int* best = work_.slots + work_.first[node];
    const int* const end = work_.slots + work_.first[node + 1];
    const bool has_some = best != end;
    for (const int* slot = best; slot != end; ++slot) {
      best = work_.load[*slot] < work_.load[*best] ? slot : best;
    }
    work_.lightest[node] = has_some ? *best : -1;
  }

  const Machine& machine_;
  const Work& work_;
};

class Relief {
 public:
  Relief(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
         int* place)
      : objects_(objects), machine_(machine), rules_(rules), work_(work), place_(place) {
    std::copy(place, place + objects.count, work.begin);
    order_by_load(objects, work.order);
    std::fill(work.first, work.first + machine.slots + 1, 0);
    for (int object = 0; object < objects.count; ++object) {
      ++work.first[place[object] + 1];
    }
    std::partial_sum(work.first, work.first + machine.slots + 1, work.first);
    std::copy(work.first, work.first + machine.slots, work.slots);
    for (int i = 0; i < objects.count; ++i) {
      work.by_slot[work.slots[place[work.order[i]]]++] = work.order[i];
    }
  }

  // Returns the number of moves, or -1 if some slot stays above the limit.
  int keep(double limit) {
    std::copy(work_.begin, work_.begin + objects_.count, place_);
    put_all(objects_, machine_, place_, work_.load);
    std::iota(work_.slots, work_.slots + machine_.slots, 0);
    std::sort(work_.slots, work_.slots + machine_.slots, IsLess{work_.load});
    int moved = 0;
    for (int* last = work_.slots + machine_.slots - 1; work_.load[*last] > limit; ++moved) {
      const double most = std::min(limit, work_.load[*last] - rules_.price);
      const int object = moved == rules_.most ? -1 : choose(*last, limit, most);
      if (object < 0) {
        return -1;
      }
      give(object, most);
    }
    return moved;
  }

 private:
  struct IsLess {
    const double* load;
    bool operator()(int a, int b) const {
      return load[a] < load[b] || (load[a] == load[b] && a > b);
    }
  };

  int choose(int slot, double limit, double most) const {
    const double lightest = work_.load[work_.slots[0]];
    const int* const begin = work_.by_slot + work_.first[slot];
    const int* const end = work_.by_slot + work_.first[slot + 1];
    const int* next = std::partition_point(
        begin, end, [&](int object) { return lightest + objects_.load[object] > most; });
    int best = -1;
    for (bool is_enough = true; next != end && is_enough; ++next) {
      if (place_[*next] == slot && objects_.load[*next] > 0) {
        is_enough = work_.load[slot] - objects_.load[*next] <= limit;
        best = best < 0 || is_enough ? *next : best;
      }
    }
    return best;
  }

  void give(int object, double most) {
    const double load = objects_.load[object];
    int* const end = work_.slots + machine_.slots;
    int* const to =
        std::partition_point(work_.slots, end - 1,
                             [&](int slot) { return work_.load[slot] + load <= most; }) -
        1;
    place_[object] = *to;
    work_.load[*to] += load;
    std::rotate(to, to + 1, std::lower_bound(to + 1, end - 1, *to, IsLess{work_.load}));
    work_.load[end[-1]] -= load;
    std::rotate(std::lower_bound(work_.slots, end - 1, end[-1], IsLess{work_.load}), end - 1, end);
  }

  const Objects& objects_;
  const Machine& machine_;
  const Rules& rules_;
  const Work& work_;
  int* const place_;
};

double heaviest_of(const Machine& machine, const Work& work) {
  return *std::max_element(work.load, work.load + machine.slots);
}

double mean_of(const Machine& machine, const Work& work) {
  return std::accumulate(work.load, work.load + machine.slots, 0.0) / machine.slots;
}

template <typename Run>
int with_price(double price, double first, int most, Run run) {
  constexpr int kTimes = 60;
  double enough = price;
  double missed = price;
  bool is_found = false;
  int moved = run(price);
  for (int i = 0; moved > most && i < kTimes; ++i) {
    missed = enough;
    enough = std::max(2 * enough, first);
    moved = run(enough);
    is_found = true;
  }
  constexpr int kHalves = 6;
  for (int i = 0; is_found && i < kHalves; ++i) {
    const double middle = (enough + missed) / 2;
    moved = run(middle);
    (moved > most ? missed : enough) = middle;
  }
  return moved > most ? run(enough) : moved;
}

}  // namespace

std::size_t work_bytes(int objects, const Machine& machine) {
  const auto slots = static_cast<std::size_t>(machine.slots);
  const auto nodes = static_cast<std::size_t>(machine.nodes);
  return (slots + 2 * nodes) * sizeof(double) +
         (3 * static_cast<std::size_t>(objects) + 2 * nodes + slots + std::max(slots, nodes) + 1) *
             sizeof(int);
}

Work work_in(void* memory, int objects, const Machine& machine) {
  Work work;
  work.load = static_cast<double*>(memory);
  work.messages = work.load + machine.slots;
  work.cost = work.messages + machine.nodes;
  work.order = reinterpret_cast<int*>(work.cost + machine.nodes);
  work.begin = work.order + objects;
  work.by_slot = work.begin + objects;
  work.nodes = work.by_slot + objects;
  work.lightest = work.nodes + machine.nodes;
  work.slots = work.lightest + machine.nodes;
  work.first = work.slots + machine.slots;
  return work;
}

double usual_alpha(const Objects& objects) {
  constexpr double kPart = 0.05;
  double loads = 0;
  double messages = 0;
  for (int object = 0; object < objects.count; ++object) {
    loads += objects.load[object];
    const int begin = objects.first == nullptr ? 0 : objects.first[object];
    const int end = objects.first == nullptr ? 0 : objects.first[object + 1];
    for (int i = begin; i < end; ++i) {
      const double sent = objects.messages == nullptr ? 1 : objects.messages[i];
      messages += objects.other[i] == object ? 0 : sent;
    }
    if (objects.home != nullptr && objects.home[object] >= 0) {
      messages += objects.home_messages == nullptr ? 1 : objects.home_messages[object];
    }
  }
  return messages > 0 ? std::min(kPart * loads / messages, kLargest) : 0;
}

int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work, int* place,
         double price) {
  order_by_load(objects, work.order);
  put_all(objects, machine, place, work.load);
  const bool has_messages = objects.first != nullptr || objects.home != nullptr;
  std::fill(work.messages, work.messages + machine.nodes, 0.0);
  std::fill(work.cost, work.cost + machine.nodes, 0.0);
  Lightest lightest(machine, work);
  int moved = 0;
  for (int i = 0; i < objects.count; ++i) {
    const int object = work.order[i];
    const int from = place[object];
    lightest.add(from, -objects.load[object]);
    if (has_messages) {
      find_costs(objects, machine, alpha, object, place, work);
    }
    const int best = lightest.cheapest(from, price);
    lightest.add(best, objects.load[object]);
    place[object] = best;
    moved += best != from ? 1 : 0;
  }
  return moved;
}

int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place,
           double price) {
  order_by_load(objects, work.order);
  put_nothing(machine, work.load);
  std::fill(work.cost, work.cost + machine.nodes, 0.0);
  Lightest lightest(machine, work);
  int moved = 0;
  for (int i = 0; i < objects.count; ++i) {
    const int object = work.order[i];
    const int best = lightest.cheapest(place[object], price);
    lightest.add(best, objects.load[object]);
    moved += best != place[object] ? 1 : 0;
    place[object] = best;
  }
  return moved;
}

int refine(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
           int* place) {
  constexpr double kStep = 0.01;
  Relief relief(objects, machine, rules, work, place);
  put_all(objects, machine, place, work.load);
  const double mean = mean_of(machine, work);
  const double least = mean * (1 + rules.tolerance);
  // Bisection finds the lowest limit, in steps of kStep.
  double kept = mean > 0 ? std::ceil((heaviest_of(machine, work) - least) / (mean * kStep)) : 0;
  double missed = -1;
  while (kept - missed > 1) {
    const double steps = missed < 0 ? 0 : std::floor((kept + missed) / 2);
    (relief.keep(least + steps * kStep * mean) < 0 ? missed : kept) = steps;
  }
  return std::max(0, relief.keep(least + kept * kStep * mean));
}

int assign(Algorithm algorithm, const Objects& objects, const Machine& machine, const Rules& rules,
           const Work& work, int* place) {
  put_all(objects, machine, place, work.load);
  const double before = heaviest_of(machine, work);
  const double mean = mean_of(machine, work);
  if (rules.tolerance > 0 && before <= mean * (1 + rules.tolerance)) {
    return 0;
  }
  std::copy(place, place + objects.count, work.begin);
  int moved = 0;
  if (algorithm == Algorithm::kRefine) {
    moved = refine(objects, machine, rules, work, place);
  } else {
    const int most = rules.most < 0 ? objects.count : rules.most;
    moved = with_price(rules.price, mean * machine.slots / objects.count, most, [&](double price) {
      std::copy(work.begin, work.begin + objects.count, place);
      return algorithm == Algorithm::kGreedy
                 ? greedy(objects, machine, work, place, price)
                 : numa(objects, machine, rules.alpha, work, place, price);
    });
  }
  if ((rules.most >= 0 && moved > rules.most) ||
      (rules.tolerance > 0 && heaviest_of(machine, work) > before * (1 - rules.tolerance))) {
    std::copy(work.begin, work.begin + objects.count, place);
    moved = 0;
  }
  return moved;
}

}  // namespace nestbind::balance
