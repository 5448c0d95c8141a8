// SPDX-License-Identifier: BSD-3-Clause
#include "balance/assign.hpp"

#include <algorithm>

namespace nestbind::balance {

namespace {

// A total order: the same on every machine.
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

int least_loaded(const Machine& machine, const double* load) {
  return static_cast<int>(std::min_element(load, load + machine.slots) - load);
}

// The messages of an object to each node, and what they cost it on each: rcomm - lcomm.
void find_costs(const Objects& objects, const Machine& machine, int object, const int* place,
                const Work& work) {
  std::fill(work.messages, work.messages + machine.nodes, 0.0);
  if (objects.first != nullptr) {
    for (int i = objects.first[object]; i < objects.first[object + 1]; ++i) {
      if (objects.other[i] != object) {
        work.messages[machine.node[place[objects.other[i]]]] +=
            objects.messages == nullptr ? 1 : objects.messages[i];
      }
    }
  }
  if (objects.home != nullptr && objects.home[object] >= 0) {
    work.messages[objects.home[object]] +=
        objects.home_messages == nullptr ? 1 : objects.home_messages[object];
  }
  for (int here = 0; here < machine.nodes; ++here) {
    const double* factor = machine.factor + static_cast<std::ptrdiff_t>(here) * machine.nodes;
    double cost = 0;
    for (int there = 0; there < machine.nodes; ++there) {
      cost += there == here ? -work.messages[there] : work.messages[there] * factor[there];
    }
    work.cost[here] = cost;
  }
}

// What the heaviest slot of greedy has.
double heaviest_of_greedy(const Objects& objects, const Machine& machine, const Work& work) {
  put_nothing(machine, work.load);
  for (int i = 0; i < objects.count; ++i) {
    work.load[least_loaded(machine, work.load)] += objects.load[work.order[i]];
  }
  return *std::max_element(work.load, work.load + machine.slots);
}

}  // namespace

std::size_t work_bytes(int objects, const Machine& machine) {
  const auto slots = static_cast<std::size_t>(machine.slots);
  const auto nodes = static_cast<std::size_t>(machine.nodes);
  return (slots + 2 * nodes) * sizeof(double) + static_cast<std::size_t>(objects) * sizeof(int);
}

Work work_in(void* memory, int objects, const Machine& machine) {
  Work work;
  work.load = static_cast<double*>(memory);
  work.messages = work.load + machine.slots;
  work.cost = work.messages + machine.nodes;
  work.order = objects == 0 ? nullptr : reinterpret_cast<int*>(work.cost + machine.nodes);
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

int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work,
         int* place) {
  order_by_load(objects, work.order);
  put_nothing(machine, work.load);
  for (int object = 0; object < objects.count; ++object) {
    work.load[place[object]] += objects.load[object];
  }
  const bool has_messages = objects.first != nullptr || objects.home != nullptr;
  std::fill(work.cost, work.cost + machine.nodes, 0.0);
  int moved = 0;
  for (int i = 0; i < objects.count; ++i) {
    const int object = work.order[i];
    const int from = place[object];
    work.load[from] -= objects.load[object];
    if (has_messages) {
      find_costs(objects, machine, object, place, work);
    }
    int best = 0;
    double least = work.load[0] + alpha * work.cost[machine.node[0]];
    for (int slot = 1; slot < machine.slots; ++slot) {
      const double cost = work.load[slot] + alpha * work.cost[machine.node[slot]];
      if (cost < least) {
        least = cost;
        best = slot;
      }
    }
    work.load[best] += objects.load[object];
    place[object] = best;
    moved += best != from ? 1 : 0;
  }
  return moved;
}

int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place) {
  order_by_load(objects, work.order);
  put_nothing(machine, work.load);
  int moved = 0;
  for (int i = 0; i < objects.count; ++i) {
    const int object = work.order[i];
    const int best = least_loaded(machine, work.load);
    work.load[best] += objects.load[object];
    moved += best != place[object] ? 1 : 0;
    place[object] = best;
  }
  return moved;
}

int refine(const Objects& objects, const Machine& machine, double tolerance, const Work& work,
           int* place) {
  order_by_load(objects, work.order);
  double most = heaviest_of_greedy(objects, machine, work) * (1 + tolerance);
  put_nothing(machine, work.load);
  int moved = 0;
  for (int i = 0; i < objects.count; ++i) {
    const int object = work.order[i];
    const int from = place[object];
    const double load = objects.load[object];
    const int to = work.load[from] + load <= most ? from : least_loaded(machine, work.load);
    work.load[to] += load;
    most = std::max(most, work.load[to]);
    place[object] = to;
    moved += to != from ? 1 : 0;
  }
  return moved;
}

}  // namespace nestbind::balance
