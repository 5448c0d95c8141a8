// SPDX-License-Identifier: BSD-3-Clause
// Programs of 4000 pages on four nodes, each page sampled four times an interval, and what the
// published form and ours make of them. A page is a unit here.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "chance.hpp"
#include "memory/interval.hpp"

namespace programs {

using namespace nestbind::memory;

inline constexpr int kNodes = 4;
inline constexpr std::size_t kPages = 4000;
inline constexpr std::uint32_t kSamples = 4;
inline constexpr std::size_t kPageBytes = 65536;

struct Program {
  std::vector<int> homes;
  std::function<bool(std::size_t)> is_own;  // of one node: page i of node owner(i)
  std::function<int(std::size_t)> owner;
  Intensity intensity = Intensity::kHigh;
  std::uint64_t refills = 0;  // 0: reads and writes are not known
  bool writes = true;
};

inline int of_part(std::size_t page) { return static_cast<int>(page * kNodes / kPages); }
inline int of_turn(std::size_t page) { return static_cast<int>(page % kNodes); }

inline std::vector<int> homes(const std::function<int(std::size_t)>& home) {
  std::vector<int> result(kPages);
  for (std::size_t page = 0; page < kPages; ++page) {
    result[page] = home(page);
  }
  return result;
}

// 97/1/1/1, shared.
inline Program streamcluster() {
  return {homes([](std::size_t page) {
            return page % 100 < 97 ? 0 : static_cast<int>(page % 100 - 96);
          }),
          [](std::size_t) { return false; }, of_part};
}

// Initialised by one thread, used in parts.
inline Program parts_on_one_node() {
  return {homes([](std::size_t) { return 0; }), [](std::size_t) { return true; }, of_part};
}

// A third own, two thirds shared, all on node 0.
inline Program pca() {
  return {homes([](std::size_t) { return 0; }), [](std::size_t page) { return page % 3 == 0; },
          of_part};
}

inline Program good() {
  return {homes(of_part), [](std::size_t) { return true; }, of_part};
}

inline Program shared_and_interleaved() {
  return {homes(of_turn), [](std::size_t) { return false; }, of_part};
}

// What an interval samples of it.
inline Region sampled(const Program& program, Chance& chance) {
  Region region{1, Seen(kNodes)};
  for (std::size_t page = 0; page < kPages; ++page) {
    std::vector<std::uint32_t> samples(kNodes);
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const int node =
          program.is_own(page) ? program.owner(page) : static_cast<int>(chance.below(kNodes));
      ++samples[static_cast<std::size_t>(node)];
    }
    region.seen.add({page * kPageBytes, kPageBytes, false}, program.homes[page], samples,
                    program.writes ? 1 : 0);
  }
  return region;
}

inline Counts counts_of(const Program& program, const Region& region) {
  return {traffic_of(region.seen), program.intensity, program.refills, 0, 1000, 900};
}

// What one interval found, and did.
struct Step {
  double imbalance = 0;  // as it began
  double local = 0;
  Enabled on;
  std::size_t moves = 0;
  std::size_t replicas = 0;
};

inline Step begun(const Counts& counts) {
  return {nestbind::memory::imbalance(counts.traffic.to), local_ratio(counts.traffic),
          enabled(counts, false), 0, 0};
}

// The published form: every page by itself, by chance.
inline Step by_draw(Program& program, Chance& chance) {
  const Region region = sampled(program, chance);
  const Counts counts = counts_of(program, region);
  Step step = begun(counts);
  const std::vector<unsigned> parts = parts_of(counts.traffic.to);
  for (std::size_t page = 0; page < kPages; ++page) {
    int& home = program.homes[page];
    const Decision decision =
        fate_of({region.seen.samples(page), region.seen.writes(page), home}, step.on);
    const int before = home;
    if (decision.fate == Fate::kInterleave) {
      home = node_drawn(parts, home, static_cast<unsigned>(chance.below(101)),
                        static_cast<unsigned>(chance.below(weights_of(parts))));
    } else if (decision.fate == Fate::kMove) {
      home = decision.user;
    }
    step.moves += home != before ? 1 : 0;
    step.replicas += decision.fate == Fate::kReplicate ? 1 : 0;
  }
  return step;
}

inline constexpr NodeMemory kRoom{50, 100};

// Ours, with what moves are held back by.
class Dealt {
 public:
  explicit Dealt(std::uint64_t bytes = ~std::uint64_t{0}) : limits_{bytes, false} {}

  Step step(Program& program, Chance& chance) {
    const Region region = sampled(program, chance);
    const Counts counts = counts_of(program, region);
    Step step = begun(counts);
    const std::vector<NodeMemory> nodes(kNodes, kRoom);
    const Orders orders =
        orders_of(counts, std::vector<Region>{region}, nodes, limits_, restraint_);
    for (const Order& order : orders.moves) {
      program.homes[order.unit.begin / kPageBytes] = order.to;
      restraint_.moved(order.unit.begin, order.region, {counts.traffic, counts.traffic});
    }
    step.moves = orders.moves.size();
    step.replicas = orders.replicas;
    return step;
  }

 private:
  Limits limits_;
  Restraint restraint_;
};

}  // namespace programs
