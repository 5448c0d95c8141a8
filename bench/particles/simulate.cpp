// SPDX-License-Identifier: BSD-3-Clause
// Reads the costs of iterations that particles.c has recorded, and computes how long a step takes
// on many ranks and threads: the library's own code balances cells and shares loops, in virtual
// time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "loops/schedule.hpp"
#include "region.hpp"

namespace {

using namespace nestbind;
using simulation::Cluster;

constexpr double kSubstep = 100;  // nanoseconds
constexpr double kParticle = 40;  // bytes
constexpr double kBandwidth = 1;  // bytes in a nanosecond, that a rank sends or receives
constexpr int kRanksOfNode = 4;

using Costs = std::vector<std::uint8_t>;
using Step = std::vector<Costs>;  // of each cell

std::vector<Step> read(const char* name, int cells) {
  std::vector<Step> steps;
  std::FILE* const file = std::fopen(name, "rb");
  int count = 0;
  for (int cell = 0; file != nullptr && std::fread(&count, sizeof count, 1, file) == 1; ++cell) {
    if (cell % cells == 0) {
      steps.emplace_back();
    }
    Costs costs(static_cast<std::size_t>(count));
    if (count > 0 && std::fread(costs.data(), 1, costs.size(), file) != costs.size()) {
      break;
    }
    steps.back().push_back(costs);
  }
  return steps;
}

double sum(const Costs& costs) {
  double all = 0;
  for (const std::uint8_t cost : costs) {
    all += cost;
  }
  return all * kSubstep;
}

// The time of a cell's loop.
double loop_time(const Costs& costs, int threads, const loops::Schedule& schedule) {
  if (costs.empty()) {
    return 0;
  }
  simulation::Program program;
  program.threads = threads;
  program.iterations_each =
      (costs.size() + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  // The last iterations may be none: they take no time.
  std::vector<double> load(program.iterations());
  std::copy(costs.begin(), costs.end(), load.begin());
  program.region = kSubstep * static_cast<double>(program.iterations_each);
  program.set_load(load);
  simulation::Costs machine;
  machine.same_node = 0.03;  // threads of a rank share a cache
  machine.disturbed = 1e-9;
  simulation::Disturbances none(machine, threads, 1, 1);
  simulation::HybridTeam team(program, machine, schedule);
  return team.run(none).time;
}

class Times {
 public:
  Times(const std::vector<Step>& steps, int threads, const std::string& text)
      : steps_(steps), threads_(threads) {
    loops::Schedule schedule;
    loops::Fault fault;
    if (!loops::parse(text, schedule, fault)) {
      std::fprintf(stderr, "bad schedule %s\n", text.c_str());
      std::exit(2);
    }
    schedule_ = schedule;
    times_.resize(steps.size());
  }
  double of(std::size_t step, std::size_t cell) {
    std::vector<double>& row = times_[step];
    row.resize(steps_[step].size(), -1);
    if (row[cell] < 0) {
      row[cell] = loop_time(steps_[step][cell], threads_, schedule_);
    }
    return row[cell];
  }

 private:
  const std::vector<Step>& steps_;
  int threads_;
  loops::Schedule schedule_;
  std::vector<std::vector<double>> times_;
};

struct Outcome {
  double longest = 0;  // mean over steps: time of the slowest rank, over the perfect time
  double moved = 0;
  double searches = 0;
};

Outcome run(const std::vector<Step>& steps, int ranks, int threads, Times& times, int every) {
  Cluster cluster(ranks / kRanksOfNode, kRanksOfNode,
                  [&](balance::across::Setup& setup) { setup.threads = threads; });
  for (int rank = 0; rank < ranks; ++rank) {
    cluster[rank].worth.mode = every < 0   ? balance::across::Mode::kOff
                               : every > 0 ? balance::across::Mode::kEvery
                                           : balance::across::Mode::kAuto;
    cluster[rank].worth.every = std::max(every, 1);
  }
  const std::size_t cells = steps[0].size();
  std::vector<int> owner(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    owner[cell] = static_cast<int>(cell * static_cast<std::size_t>(ranks) / cells);
  }
  Outcome outcome;
  double now = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    std::vector<double> time(static_cast<std::size_t>(ranks));
    double all = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double work = sum(steps[step][cell]);
      all += work;
      time[static_cast<std::size_t>(owner[cell])] += times.of(step, cell);
      cluster[owner[cell]].load(static_cast<balance::across::Id>(cell), work * 1e-9,
                                kParticle * static_cast<double>(steps[step][cell].size()));
    }
    const double longest = *std::max_element(time.begin(), time.end());
    outcome.longest += longest / (all / ranks / threads) / static_cast<double>(steps.size());
    now += longest;
    cluster.balance(static_cast<double>(steps.size() - step - 1), now * 1e-9);
    double bytes = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      double of_rank = 0;
      for (const auto& move : cluster[rank].moves()) {
        const auto cell = static_cast<std::size_t>(move.id);
        owner[cell] = move.to;
        outcome.moved += move.to == rank ? 1 : 0;
        of_rank += kParticle * static_cast<double>(steps[step][cell].size());
      }
      bytes = std::max(bytes, of_rank);
    }
    now += bytes / kBandwidth;
    outcome.longest +=
        bytes / kBandwidth / (all / ranks / threads) / static_cast<double>(steps.size());
  }
  return outcome;
}

void four_cells(const std::vector<Step>& steps) {
  std::printf("ranks,threads,nothing,loops,balance,both,moved\n");
  for (const int threads : {2, 4, 8, 16}) {
    Times fixed(steps, threads, "hybrid,f=1");
    Times shared(steps, threads, "hybrid,f=0.5,chunk=8");
    for (const int ranks : {4, 16, 64}) {
      const Outcome both = run(steps, ranks, threads, shared, 0);
      std::printf("%d,%d,%.3f,%.3f,%.3f,%.3f,%.0f\n", ranks, threads,
                  run(steps, ranks, threads, fixed, -1).longest,
                  run(steps, ranks, threads, shared, -1).longest,
                  run(steps, ranks, threads, fixed, 0).longest, both.longest, both.moved);
      std::fflush(stdout);
    }
  }
}

void pairs(const std::vector<Step>& steps) {
  std::printf("ranks,threads,schedule,across,time,moved\n");
  constexpr int kThreads = 8;
  constexpr int kRanks = 16;
  for (const char* schedule :
       {"hybrid,f=1", "hybrid,f=0.875,chunk=8", "hybrid,f=0.75,chunk=8", "hybrid,f=0.5,chunk=2",
        "hybrid,f=0.5,chunk=8", "hybrid,f=0.5,chunk=32", "hybrid,f=0.25,chunk=8",
        "hybrid,f=0,chunk=8"}) {
    Times times(steps, kThreads, schedule);
    for (const int every : {-1, 0, 1, 4, 16}) {
      const Outcome outcome = run(steps, kRanks, kThreads, times, every);
      const std::string name = every < 0    ? "off"
                               : every == 0 ? "auto"
                                            : "every=" + std::to_string(every);
      std::printf("%d,%d,\"%s\",%s,%.3f,%.0f\n", kRanks, kThreads, schedule, name.c_str(),
                  outcome.longest, outcome.moved);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int cells = argc > 3 ? std::atoi(argv[3]) : 0;
  const std::vector<Step> steps = cells > 0 ? read(argv[2], cells * cells) : std::vector<Step>();
  if (steps.empty()) {
    std::fprintf(stderr, "usage: simulate_particles cells|pairs RECORD CELLS\n");
    return 2;
  }
  if (std::strcmp(argv[1], "pairs") == 0) {
    pairs(steps);
  } else {
    four_cells(steps);
  }
  return 0;
}
