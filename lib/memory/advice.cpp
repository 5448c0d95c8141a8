// SPDX-License-Identifier: BSD-3-Clause
#include "memory/advice.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace nestbind::memory {
namespace {

constexpr double kPercent = 100;
// Carrefour's: beyond these a program's memory is well placed.
constexpr double kMostlyLocal = 80;
constexpr double kMostImbalance = 35;
// A unit is one node's if so much of its samples is: a page that another thread once looked at is.
constexpr double kOnesOwn = 90;
// A region is judged if so many of its units were seen, or half of them.
constexpr std::size_t kEnoughUnits = 16;
// A remedy is none if it saves less.
constexpr double kWorth = 5;

double percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : kPercent * static_cast<double>(part) / static_cast<double>(all);
}

int most_of(std::span<const std::uint64_t> numbers) {
  return static_cast<int>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
}

int user_of(const Seen& seen, std::size_t i) {
  const auto samples = seen.samples(i);
  return static_cast<int>(std::max_element(samples.begin(), samples.end()) - samples.begin());
}

// The figures, if unit i were on the node that `home` says.
Figures figures_with(const Seen& seen, const std::function<int(std::size_t)>& home) {
  Seen moved = seen;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved.set_home(i, home(i));
  }
  const Traffic traffic = traffic_of(moved);
  return {local_ratio(traffic), imbalance(traffic.to)};
}

std::vector<std::uint64_t> samples_by_node(const Seen& seen) {
  std::vector<std::uint64_t> by_node(static_cast<std::size_t>(seen.nodes()));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto samples = seen.samples(i);
    std::transform(samples.begin(), samples.end(), by_node.begin(), by_node.begin(), std::plus<>());
  }
  return by_node;
}

// Samples of units that one node uses, and of units that were written.
struct Kinds {
  std::uint64_t own = 0;
  std::uint64_t written = 0;
};

Kinds kinds_of(const Seen& seen) {
  Kinds kinds;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint64_t all = seen.all(i);
    const std::uint64_t most = seen.samples(i)[static_cast<std::size_t>(user_of(seen, i))];
    kinds.own += percent(most, all) >= kOnesOwn ? all : 0;
    kinds.written += seen.writes(i) > 0 ? all : 0;
  }
  return kinds;
}

// A range cut into equal parts, each on the node that uses it most.
Figures in_parts(const RegionFacts& facts, std::size_t parts) {
  const Seen& seen = facts.seen;
  const auto part_of = [&](std::size_t i) {
    const std::uintptr_t at = seen.unit(i).begin - facts.range.begin;
    const std::uintptr_t size = (facts.range.bytes() + parts - 1) / parts;
    return std::min<std::size_t>(at / size, parts - 1);
  };
  std::vector<std::vector<std::uint64_t>> uses(
      parts, std::vector<std::uint64_t>(static_cast<std::size_t>(seen.nodes())));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto samples = seen.samples(i);
    std::vector<std::uint64_t>& use = uses[part_of(i)];
    std::transform(samples.begin(), samples.end(), use.begin(), use.begin(), std::plus<>());
  }
  return figures_with(seen, [&](std::size_t i) { return most_of(uses[part_of(i)]); });
}

// With as few parts as make it local: one for each node that uses the region, or twice as many, as
// teams of several threads a node have, and so on. As it is now where none does.
Figures in_blocks(const RegionFacts& facts, std::size_t users, const Figures& now) {
  constexpr std::size_t kUnitsOfPart = 8;
  for (std::size_t parts = users; parts <= facts.seen.size() / kUnitsOfPart; parts *= 2) {
    const Figures figures = in_parts(facts, parts);
    if (figures.local >= kMostlyLocal) {
      return figures;
    }
  }
  return now;
}

struct Candidate {
  Remedy remedy = Remedy::kNone;
  Figures after;
};

// For units that one node uses each.
void add_for_own(const RegionFacts& facts, const Advice& advice, std::vector<Candidate>& to) {
  constexpr double kAlmostAll = 95;
  constexpr double kSome = 1;
  const auto one = std::max_element(advice.users.begin(), advice.users.end());
  if (*one >= kAlmostAll) {
    const int user = static_cast<int>(one - advice.users.begin());
    to.push_back({Remedy::kLocal, figures_with(facts.seen, [&](std::size_t) { return user; })});
    return;
  }
  const auto users = std::count_if(advice.users.begin(), advice.users.end(),
                                   [](double part) { return part >= kSome; });
  const Figures blocks = in_blocks(facts, static_cast<std::size_t>(users), advice.now);
  if (blocks.local >= kMostlyLocal) {
    to.push_back({Remedy::kBlock, blocks});
    return;
  }
  to.push_back({Remedy::kOwn,
                figures_with(facts.seen, [&](std::size_t i) { return user_of(facts.seen, i); })});
}

void add_for_shared(const RegionFacts& facts, const Advice& advice, bool is_read_only,
                    std::vector<Candidate>& to) {
  if (is_read_only) {
    to.push_back({Remedy::kReplicate, {kPercent, imbalance(samples_by_node(facts.seen))}});
  } else if (advice.now.imbalance > kMostImbalance) {
    const auto nodes = static_cast<std::size_t>(facts.seen.nodes());
    to.push_back({Remedy::kInterleave, figures_with(facts.seen, [&](std::size_t i) {
                    return static_cast<int>(i % nodes);
                  })});
  }
}

void choose(const RegionFacts& facts, const std::vector<Candidate>& candidates, Advice& advice) {
  // Where few nodes use a region, their own memory gets more than others': that is no crowd.
  const double of_users = imbalance(samples_by_node(facts.seen));
  const auto cycles_with = [&](const Figures& figures) {
    return modelled_cycles({figures.local, std::max(0.0, figures.imbalance - of_users)});
  };
  const double cycles = cycles_with(advice.now);
  double least = cycles * (1 - kWorth / kPercent);
  for (const Candidate& candidate : candidates) {
    if (cycles_with(candidate.after) <= least) {
      least = cycles_with(candidate.after);
      advice.remedy = candidate.remedy;
      advice.after = candidate.after;
    }
  }
  advice.damage = static_cast<double>(facts.samples) * (cycles - cycles_with(advice.after));
}

bool is_seen_enough(const RegionFacts& facts, const PageSizes& sizes) {
  const std::size_t units = facts.range.bytes() / sizes.unit();
  const bool is_huge = facts.seen.size() > 0 && facts.seen.unit(0).is_huge;
  const std::size_t of_all = is_huge ? facts.range.bytes() / sizes.huge : units;
  return facts.seen.size() > 0 && facts.seen.size() >= std::min(kEnoughUnits, (of_all + 1) / 2);
}

}  // namespace

double modelled_cycles(const Figures& figures) {
  constexpr double kLocal = 240;
  constexpr double kRemote = 300;
  constexpr double kCongested = 1200;
  constexpr double kAllOnOneOfFour = 200;
  const double remote = 1 - figures.local / kPercent;
  const double crowded = figures.imbalance / kAllOnOneOfFour;
  return kLocal + (kRemote - kLocal) * remote + (kCongested - kRemote) * crowded * crowded;
}

Advice advice_on(const RegionFacts& facts, const PageSizes& sizes) {
  constexpr double kMostly = 80;
  constexpr double kHalf = 50;
  Advice advice;
  const Traffic traffic = traffic_of(facts.seen);
  if (!is_seen_enough(facts, sizes) || traffic.all() == 0) {
    return advice;
  }
  const std::vector<std::uint64_t> by_node = samples_by_node(facts.seen);
  const std::uint64_t all = std::accumulate(by_node.begin(), by_node.end(), std::uint64_t{0});
  if (2 * traffic.all() < all) {
    return advice;  // of most it is not known where they lay
  }
  const Kinds kinds = kinds_of(facts.seen);
  for (const std::uint64_t samples : by_node) {
    advice.users.push_back(percent(samples, all));
  }
  advice.own = percent(kinds.own, all);
  advice.now = {local_ratio(traffic), imbalance(traffic.to)};
  advice.after = advice.now;
  advice.remedy = Remedy::kNone;
  if (advice.now.local >= kMostlyLocal) {
    return advice;
  }
  std::vector<Candidate> candidates;
  if (advice.own >= kHalf) {
    add_for_own(facts, advice, candidates);
  }
  if (advice.own < kMostly) {
    const bool is_read_only = facts.are_writes_known && kinds.written == 0;
    add_for_shared(facts, advice, is_read_only, candidates);
  }
  choose(facts, candidates, advice);
  return advice;
}

}  // namespace nestbind::memory
