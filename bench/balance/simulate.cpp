// SPDX-License-Identifier: BSD-3-Clause
// simulate_balance paper|steps|time|reading [ROUNDS]: prints CSV.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "balance/assign.hpp"
#include "balance/objects.hpp"
#include "loops/ownership.hpp"
#include "mapping/object_graph.hpp"
#ifdef NESTBIND_HAS_SCOTCH
#include "mapping/scotch/solve.hpp"
#endif
#ifdef NESTBIND_HAS_METIS
#include "metis.hpp"
#endif
#include "programs.hpp"
#include "steps.hpp"
#include "worksharing/loop_clock.hpp"

namespace {

using namespace nestbind;
using Places = std::vector<int>;

constexpr double kAlpha = 1e-5;
constexpr double kTolerance = 0.02;

using Balancer =
    std::function<void(const balance::Objects&, const balance::Machine&, Places& place)>;

struct Named {
  const char* name;
  Balancer balance;
};

template <typename Algorithm>
Balancer own(Algorithm algorithm) {
  return [algorithm](const balance::Objects& objects, const balance::Machine& machine,
                     Places& place) {
    std::vector<double> memory(balance::work_bytes(objects.count, machine) / sizeof(double) + 1);
    algorithm(objects, machine, balance::work_in(memory.data(), objects.count, machine),
              place.data());
  };
}

template <typename Partitioner>
Balancer asked(Partitioner partitioner) {
  return [partitioner](const balance::Objects& objects, const balance::Machine& machine,
                       Places& place) {
    const auto parts = partitioner(mapping::graph_of(objects, machine.slots));
    if (!parts) {
      std::fprintf(stderr, "a partitioner has failed\n");
      std::exit(EXIT_FAILURE);
    }
    place = *parts;
  };
}

std::vector<Named> balancers() {
  std::vector<Named> all = {
      {"numa", own([](const auto& objects, const auto& machine, const auto& work, int* place) {
         balance::numa(objects, machine, kAlpha, work, place);
       })},
      {"greedy", own([](const auto& objects, const auto& machine, const auto& work, int* place) {
         balance::greedy(objects, machine, work, place);
       })},
      {"refine", own([](const auto& objects, const auto& machine, const auto& work, int* place) {
         balance::refine(objects, machine, {.tolerance = kTolerance}, work, place);
       })}};
#ifdef NESTBIND_HAS_METIS
  all.push_back({"METIS", asked(simulation::divide_by_metis)});
#endif
#ifdef NESTBIND_HAS_SCOTCH
  all.push_back({"SCOTCH", asked(mapping::scotch::divide)});
#endif
  return all;
}

balance::Worth worth_of(const balance::Objects& objects, const balance::Machine& machine,
                        const Places& place) {
  std::vector<double> load(static_cast<std::size_t>(machine.slots));
  return balance::worth_of(objects, machine, place.data(), load.data());
}

struct Program {
  const char* name;
  std::function<simulation::Objects(std::uint64_t)> make;
};

const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {"kNeighbor", [](std::uint64_t seed) { return simulation::k_neighbor(seed, 0); }},
      {"kNeighbor, loads up to 40 % off",
       [](std::uint64_t seed) { return simulation::k_neighbor(seed, 0.4); }},
      {"lb_test", simulation::lb_test},
      {"jacobi2D", [](std::uint64_t) { return simulation::jacobi2d(); }}};
  return all;
}

void print_paper(int rounds) {
  std::puts("program,machine,balancer,round,objects,moved,before,after,remote_before,remote_after");
  const std::pair<const char*, simulation::Machine> machines[] = {{"NUMA16", simulation::numa16()},
                                                                  {"NUMA32", simulation::numa32()}};
  for (const Program& program : programs()) {
    for (const auto& [machine_name, on] : machines) {
      for (int round = 0; round < rounds; ++round) {
        const simulation::Objects made = program.make(static_cast<std::uint64_t>(round));
        const balance::Objects objects = made.view();
        const balance::Machine machine = on.view();
        const Places begin = made.begin(machine.slots);
        const balance::Worth before = worth_of(objects, machine, begin);
        for (const auto& [name, balance_by] : balancers()) {
          Places place = begin;
          balance_by(objects, machine, place);
          int moved = 0;
          for (std::size_t i = 0; i < place.size(); ++i) {
            moved += place[i] != begin[i] ? 1 : 0;
          }
          const balance::Worth after = worth_of(objects, machine, place);
          std::printf("\"%s\",%s,%s,%d,%d,%d,%.4f,%.4f,%.4f,%.4f\n", program.name, machine_name,
                      name, round, objects.count, moved, before.imbalance(), after.imbalance(),
                      before.remote_messages / before.messages,
                      after.remote_messages / after.messages);
        }
      }
    }
  }
}

void print_steps(int rounds) {
  using simulation::Shape;
  constexpr std::pair<const char*, Shape> kShapes[] = {
      {"even", Shape::kEven},
      {"ramp", Shape::kRamp},
      {"hot sixteenth", Shape::kHot},
      {"patches", Shape::kPatches},
      {"alternating", Shape::kAlternating},
      {"alternating, two of three", Shape::kByThree},
      {"alternating, two and two", Shape::kByFour},
      {"alternating, by chance", Shape::kByChance},
      {"disturbed", Shape::kDisturbed},
      {"hot sixteenth that moves after step 400", Shape::kMoved},
      {"hot sixteenth that drifts", Shape::kDrift},
      {"wave that drifts", Shape::kWave}};
  // The first two schedules never check the owners, the last two do.
  constexpr std::pair<const char*, const char*> kWays[] = {
      {"static", "balanced,every=1000000,steal=0"},
      {"half stealable", "balanced,every=1000000"},
      {"balanced", "balanced,steal=0"},
      {"balanced, a quarter stealable", "balanced"}};
  constexpr int kSteps = 600;
  std::puts("blocks,way,round,time,remote,moved,last_change");
  for (const auto& [shape_name, shape] : kShapes) {
    for (const auto& [name, schedule] : kWays) {
      for (int round = 0; round < rounds; ++round) {
        const simulation::Outcome outcome =
            simulation::simulate_steps(shape, schedule, kSteps, static_cast<std::uint64_t>(round));
        if (!outcome.is_good) {
          std::fprintf(stderr, "a block has not run exactly once\n");
          std::exit(EXIT_FAILURE);
        }
        std::printf("\"%s\",\"%s\",%d,%.4f,%.2f,%d,%d\n", shape_name, name, round, outcome.mean(),
                    outcome.remote, outcome.moved, outcome.last_change);
      }
    }
  }
}

simulation::Objects many(int count) {
  simulation::Objects objects;
  objects.first.push_back(0);
  for (int i = 0; i < count; ++i) {
    objects.load.push_back(1 + (i * 7919 % 101) / 100.0);
    for (const int away : {1, 5, 7, count / 3}) {
      objects.other.push_back((i + away) % count);
      objects.other.push_back((i + count - away) % count);
    }
    objects.first.push_back(static_cast<int>(objects.other.size()));
  }
  return objects;
}

void print_time(int rounds) {
  std::puts("objects,slots,balancer,round,milliseconds");
  const std::pair<int, simulation::Machine> sizes[] = {{200, simulation::numa16()},
                                                       {200, simulation::numa32()},
                                                       {10000, simulation::machine(8, 16, 2)}};
  for (const auto& [count, on] : sizes) {
    const simulation::Objects made = many(count);
    const balance::Machine machine = on.view();
    const Places begin = made.begin(machine.slots);
    for (const auto& [name, balance_by] : balancers()) {
      for (int round = 0; round < rounds; ++round) {
        Places place = begin;
        const auto start = std::chrono::steady_clock::now();
        balance_by(made.view(), machine, place);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        std::printf("%d,%d,%s,%d,%.4f\n", count, machine.slots, name, round, time.count());
      }
    }
  }
}

// lib/preload/loops executes the same code for each block of a measured execution.
void print_reading(int rounds) {
  constexpr int kTimes = 1000;
  constexpr int kThreads = 2;
  constexpr int kEach = loops::Blocks::kUsual;
  const loops::Places places;
  std::atomic<loops::Ownership*> cell{nullptr};
  loops::Ownership* const owners =
      loops::Ownership::find(cell, kThreads, {{kThreads * kEach, 1, kEach, 0}, &places, 0});
  if (owners == nullptr) {
    std::exit(EXIT_FAILURE);
  }
  std::puts("round,nanoseconds");
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    loops::Ticks before = worksharing::counter();
    for (int time = 0; time < kTimes; ++time) {
      for (int place = 0; place < kEach; ++place) {
        const loops::Ticks now = worksharing::counter();
        owners->note(0, 0, place, place + 1, now - before);
        before = now;
      }
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    std::printf("%d,%.2f\n", round, time.count() / (kTimes * kEach));
  }
  std::free(loops::Ownership::memory(cell));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 60;
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 1);  // so that each run has the same result
  if (what == "paper") {
    print_paper(rounds);
  } else if (what == "steps") {
    print_steps(rounds);
  } else if (what == "time") {
    print_time(rounds);
  } else if (what == "reading") {
    print_reading(rounds);
  } else {
    std::fprintf(stderr, "simulate_balance paper|steps|time|reading [ROUNDS]\n");
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
