// SPDX-License-Identifier: BSD-3-Clause
#include "bench/balance/steps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "bench/loops/region.hpp"

namespace nestbind::simulation {

namespace {

using Random = std::mt19937_64;
using Numbers = std::vector<double>;

constexpr double kHeavy = 4;
constexpr double kHits = 0.02;  // the probability that a block is disturbed
constexpr double kHit = 20;
constexpr double kBlock = 1e5;  // nanoseconds for a block of load 1
constexpr int kIterations = 8;  // in a block

double unit(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Numbers patches(Random& random) {
  constexpr int kShortest = 8;
  constexpr int kMore = 5;
  Numbers load(kBlocks, 1);
  for (int left = kBlocks / 5; left > 0;) {
    const int length = std::min(left, kShortest + static_cast<int>(random() % kMore));
    const int begin = static_cast<int>(random() % static_cast<unsigned>(kBlocks - length));
    for (int block = begin; block < begin + length; ++block) {
      left -= load[at(block)] < kHeavy ? 1 : 0;
      load[at(block)] = kHeavy;
    }
  }
  return load;
}

Numbers hot(int from) {
  Numbers load(kBlocks, 1);
  for (int block = from; block < from + kBlocks / kThreads; ++block) {
    load[at(block % kBlocks)] = kHeavy;
  }
  return load;
}

Numbers ramp() {
  Numbers load(kBlocks);
  for (int block = 0; block < kBlocks; ++block) {
    load[at(block)] = 0.5 + (block + 0.5) / kBlocks;
  }
  return load;
}

Numbers wave(int step) {
  constexpr int kLength = 2000;
  Numbers load(kBlocks);
  for (int block = 0; block < kBlocks; ++block) {
    const double turns = static_cast<double>(block) / kBlocks - static_cast<double>(step) / kLength;
    load[at(block)] = 1 + 0.6 * std::sin(2 * std::numbers::pi * turns);
  }
  return load;
}

Numbers halves(bool is_first) {
  Numbers load(kBlocks, is_first ? 2 : 0.5);
  std::fill(load.begin() + kBlocks / 2, load.end(), is_first ? 0.5 : 2);
  return load;
}

Numbers loads_of(Shape shape, int step, Random& random) {
  constexpr int kThree = 3;
  constexpr int kFour = 4;
  constexpr int kBlockOfDrift = 10;
  Numbers turned = ramp();
  switch (shape) {
    case Shape::kRamp:
      return turned;
    case Shape::kRampTurned:
      if (step > kChange) {
        std::reverse(turned.begin(), turned.end());
      }
      return turned;
    case Shape::kHot:
      return hot(0);
    case Shape::kEvenThenHot:
      return step > kChange ? hot(0) : Numbers(kBlocks, 1);
    case Shape::kMoved:
      return hot(step > kChange ? kBlocks / 2 : 0);
    case Shape::kDrift:
      return hot(step / kBlockOfDrift);
    case Shape::kWave:
      return wave(step);
    case Shape::kByThree:
      return halves(step % kThree != 0);
    case Shape::kByFour:
      return halves(step % kFour < 2);
    case Shape::kByChance:
      return halves(random() % 2 == 0);
    case Shape::kAlternating:
    case Shape::kAlternatingDisturbed:
      return halves(step % 2 == 1);
    default:
      return Numbers(kBlocks, 1);
  }
}

}  // namespace

double Outcome::mean(int from, int behind) const {
  return std::accumulate(time.begin() + from, time.begin() + behind, 0.0) / (behind - from);
}

Outcome simulate_steps(Shape shape, const std::string& schedule, int steps, std::uint64_t seed,
                       double noise, int nodes) {
  Random random(seed);
  const Numbers usual = patches(random);
  Program program;
  program.threads = kThreads;
  program.threads_of_node = kThreads / nodes;
  program.iterations_each = kIterations * kBlocks / kThreads;
  program.region = kBlock * kBlocks / kThreads;
  Costs costs;
  costs.own_take = costs.other_take = costs.same_node = 0;
  costs.disturbed = 1e-12;  // never
  Disturbances none(costs, kThreads, 1, 0);
  loops::Schedule parsed;
  loops::Fault fault;
  loops::parse(schedule, parsed, fault);
  HybridTeam team(program, costs, parsed);
  const bool is_disturbed = shape == Shape::kDisturbed || shape == Shape::kAlternatingDisturbed;
  Outcome outcome;
  for (int number = 1; number <= steps; ++number) {
    Numbers load = shape == Shape::kPatches ? usual : loads_of(shape, number, random);
    for (double& of : load) {
      of *= 1 - noise + 2 * noise * unit(random);
      of *= is_disturbed && unit(random) < kHits ? kHit : 1;
    }
    Numbers of_iterations;
    for (const double of : load) {
      of_iterations.insert(of_iterations.end(), kIterations, of);
    }
    team.set_load(of_iterations);
    const simulation::Region region = team.run(none);
    const double ideal = kBlock * std::accumulate(load.begin(), load.end(), 0.0) / kThreads;
    outcome.time.push_back(region.time / ideal);
    outcome.remote += 100.0 * static_cast<double>(region.remote) / kIterations / kBlocks / steps;
    outcome.is_good = outcome.is_good && region.tally.total() == kIterations * kBlocks;
    const int moved = static_cast<int>(team.moved());
    outcome.last_change = moved > outcome.moved ? number : outcome.last_change;
    outcome.moved = moved;
  }
  return outcome;
}

}  // namespace nestbind::simulation
