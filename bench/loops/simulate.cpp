// SPDX-License-Identifier: BSD-3-Clause
// Simulates schedules on machines that we do not have: the library's own functions run for up to
// 1024 threads in virtual time. Prints CSV. README.md describes the model.
//
//   simulate noise | sweep | uneven | paper | surface | first [EXECUTIONS [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "region.hpp"

namespace {

using namespace nestbind;
using simulation::Costs;
using simulation::Disturbances;
using simulation::HybridTeam;
using simulation::Program;
using simulation::Region;

constexpr int kTeams[] = {4, 16, 64, 256, 1024};
// The first executions are not counted, because f and the chunk still change.
constexpr int kBefore = 40;

struct Options {
  std::string what;
  int executions = 0;
  std::uint64_t seed = 1;
};

std::vector<Disturbances> executions_of(const Program& program, const Costs& costs,
                                        const Options& options) {
  constexpr double kLongest = 20;  // regions
  std::vector<Disturbances> result;
  for (int i = 0; i < kBefore + options.executions; ++i) {
    const std::uint64_t seed = options.seed * 1000003 + static_cast<std::uint64_t>(i);
    result.emplace_back(costs, program.threads, kLongest * program.region, seed);
  }
  return result;
}

void print_row(const Options& options, const Program& program, const std::string& schedule,
               const std::vector<Region>& outcomes, const loops::Parameters& parameters) {
  double time = 0;
  loops::Tally tally;
  for (const Region& outcome : outcomes) {
    time += outcome.time / program.region / static_cast<double>(outcomes.size());
    tally.add(outcome.tally);
  }
  const double all = static_cast<double>(tally.total() > 0 ? tally.total() : 1);
  const auto percent = [&](std::uint64_t part) { return 100 * static_cast<double>(part) / all; };
  const std::uint64_t near = tally.stolen[0] + tally.stolen[1] + tally.stolen[2];
  const std::uint64_t far = tally.stolen[3] + tally.stolen[4];
  std::printf("%s,%d,\"%s\",%.4f,%.3f,%llu,%.1f,%.1f,%.1f,%.1f\n", options.what.c_str(),
              program.threads, schedule.c_str(), time,
              static_cast<double>(parameters.static_parts) / loops::kParts,
              static_cast<unsigned long long>(parameters.chunk), percent(tally.of_block),
              percent(tally.of_own_queue), percent(near), percent(far));
}

double run_hybrid(const Options& options, const Program& program, const Costs& costs,
                  const std::string& text, std::vector<Disturbances>& executions) {
  loops::Schedule schedule;
  loops::Fault fault;
  if (!loops::parse(text, schedule, fault)) {
    std::fprintf(stderr, "not a schedule: %s\n", text.c_str());
    std::exit(1);
  }
  const auto team = std::make_unique<HybridTeam>(program, costs, schedule);
  std::vector<Region> outcomes;
  double time = 0;
  for (std::size_t i = 0; i < executions.size(); ++i) {
    const Region outcome = team->run(executions[i]);
    if (i >= kBefore) {
      outcomes.push_back(outcome);
      time += outcome.time / program.region;
    }
  }
  print_row(options, program, text, outcomes, team->parameters());
  return time / static_cast<double>(outcomes.size());
}

void run_own(const Options& options, const Program& program, const Costs& costs,
             std::uint64_t chunk, bool is_guided, std::vector<Disturbances>& executions) {
  std::vector<Region> outcomes;
  for (std::size_t i = kBefore; i < executions.size(); ++i) {
    outcomes.push_back(simulation::run_dynamic(program, costs, chunk, is_guided, executions[i]));
  }
  const std::string name = is_guided ? "guided" : "dynamic," + std::to_string(chunk);
  print_row(options, program, name, outcomes, {.static_parts = 0, .chunk = chunk});
}

void noise(const Options& options) {
  for (const int threads : kTeams) {
    const Costs costs;
    Program program;
    program.threads = threads;
    std::vector<Disturbances> executions = executions_of(program, costs, options);
    run_hybrid(options, program, costs, "hybrid,f=1", executions);
    run_own(options, program, costs, 8, false, executions);
    run_own(options, program, costs, 1, true, executions);
    run_hybrid(options, program, costs, "hybrid", executions);
  }
}

void sweep(const Options& options, const Program& program, const char* load) {
  const Costs costs;
  std::vector<Disturbances> executions = executions_of(program, costs, options);
  double best = 1e9;
  for (int step = 0; step <= 32; ++step) {
    const std::string f = std::to_string(step / 32.0).substr(0, 6);
    best = std::min(best, run_hybrid(options, program, costs, "hybrid,f=" + f, executions));
  }
  const double found = run_hybrid(options, program, costs, "hybrid", executions);
  std::fprintf(stderr, "%d threads, %s: f=auto %.4f, best fixed f %.4f, %+.2f %%\n",
               program.threads, load, found, best, 100 * (found / best - 1));
}

void sweep(const Options& options) {
  for (const int threads : kTeams) {
    Program program;
    program.threads = threads;
    sweep(options, program, "even");
  }
}

void uneven(const Options& options) {
  for (const char* load : simulation::kLoads) {
    for (const int threads : {4, 16, 64}) {
      Program program;
      program.threads = threads;
      program.set_load(simulation::load_of(load, program));
      sweep(options, program, load);
    }
  }
}

// The paper's dot product has short iterations, a short region, and chunks of 8 iterations.
void paper(const Options& options) {
  const Costs costs;
  Program program;
  program.threads = 16;
  program.region = 200e3;
  program.iterations_each = 4000;
  std::vector<Disturbances> executions = executions_of(program, costs, options);
  for (int step = 0; step <= 16; ++step) {
    const std::string f = std::to_string(step / 16.0).substr(0, 6);
    run_hybrid(options, program, costs, "hybrid,chunk=8,f=" + f, executions);
  }
  run_hybrid(options, program, costs, "hybrid,chunk=8", executions);
  run_hybrid(options, program, costs, "hybrid", executions);
  run_own(options, program, costs, 8, false, executions);
}

// The paper's dot product with all static fractions and chunks: 64 objects, one region for each.
void surface(const Options& options) {
  const Costs costs;
  Program program;
  program.threads = 16;
  program.region = 200e3;
  program.iterations_each = 4000;
  std::vector<Disturbances> executions = executions_of(program, costs, options);
  for (int eighth = 0; eighth <= 8; ++eighth) {
    for (int chunk = 1; chunk <= 64; chunk *= 2) {
      const std::string f = std::to_string(eighth / 8.0).substr(0, 5);
      run_hybrid(options, program, costs, "hybrid,chunk=" + std::to_string(chunk) + ",f=" + f,
                 executions);
    }
  }
}

constexpr int kFirst = 16;

// Returns the mean times of the first kFirst executions of a program. `cold` slows down only the
// first execution.
std::vector<double> first_times(const Program& program, double cold, double steady,
                                const Options& options) {
  const Costs costs;
  loops::Schedule schedule;
  schedule.kind = loops::Kind::kHybrid;
  std::vector<double> times(kFirst);
  for (int i = 0; i < options.executions; ++i) {
    const auto seed = options.seed * 1000003 + static_cast<std::uint64_t>(i);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    std::vector<double> always(static_cast<std::size_t>(program.threads));
    std::generate(always.begin(), always.end(), [&] { return 1 + steady * part(random); });
    std::vector<double> slowness = always;
    for (double& factor : slowness) {
      factor *= 1 + cold * part(random);
    }
    const auto team = std::make_unique<HybridTeam>(program, costs, schedule);
    for (std::size_t n = 0; n < times.size(); ++n) {
      Disturbances disturbances(costs, program.threads, 20 * program.region, seed * kFirst + n);
      team->slow_down(n == 0 ? slowness : always);
      times[n] += team->run(disturbances).time / program.region / options.executions;
    }
  }
  return times;
}

void first(const Options& options) {
  for (const int threads : {4, 16, 64}) {
    for (const double cold : {0.0, 0.5, 2.0}) {
      for (const double steady : {0.0, 0.3}) {
        Program program;
        program.threads = threads;
        std::printf("%d,%.1f,%.1f", threads, cold, steady);
        for (const double time : first_times(program, cold, steady, options)) {
          std::printf(",%.4f", time);
        }
        std::printf("\n");
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  options.what = count > 1 ? arguments[1] : "";
  options.executions = count > 2 ? std::atoi(arguments[2]) : 100;
  options.seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
  const bool is_known = options.what == "noise" || options.what == "sweep" ||
                        options.what == "uneven" || options.what == "paper" ||
                        options.what == "surface" || options.what == "first";
  if (!is_known || options.executions < 1) {
    std::fprintf(
        stderr,
        "usage: simulate noise | sweep | uneven | paper | surface | first [EXECUTIONS [SEED]]\n");
    return 2;
  }
  std::printf(options.what == "first"
                  ? "threads,cold,steady,time of each execution\n"
                  : "case,threads,schedule,time,f,chunk,block %%,own %%,near %%,far %%\n");
  if (options.what == "noise") {
    noise(options);
  } else if (options.what == "sweep") {
    sweep(options);
  } else if (options.what == "uneven") {
    uneven(options);
  } else if (options.what == "first") {
    first(options);
  } else if (options.what == "surface") {
    surface(options);
  } else {
    paper(options);
  }
  return 0;
}
