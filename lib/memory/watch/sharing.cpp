// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/sharing.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace nestbind::memory::watch {

namespace {

// The kernel scans a process at most once in this time.
constexpr std::uint64_t kScan = 400'000'000;  // nanoseconds

constexpr std::uint64_t kSections = 16;

Sharing pairs_in(const Facts& facts, std::uint64_t piece) {
  struct Last {
    int node;
    std::uint64_t time;
  };
  std::map<std::uint64_t, Last> last;
  std::array<std::uint64_t, kSections> count{};
  std::array<std::uint64_t, kSections> alike{};
  std::array<bool, kSections> is_used{};
  for (const Use& use : facts.uses) {
    const std::uint64_t section =
        (use.address - facts.begin) / ((facts.end - facts.begin) / kSections + 1);
    is_used[section] = true;
    const auto [at, is_new] = last.try_emplace(use.address / piece, Last{use.node, use.time});
    if (is_new || use.time < at->second.time + kScan) {
      continue;
    }
    count[section] += 1;
    alike[section] += at->second.node == use.node ? 1 : 0;
    at->second = {use.node, use.time};
  }
  constexpr std::uint64_t kLeast = 4;
  Sharing pairs;
  pairs.pairs = std::accumulate(count.begin(), count.end(), std::uint64_t{0});
  pairs.may_have_owned = false;
  for (std::size_t i = 0; i < kSections; ++i) {
    const bool is_shared = count[i] >= kLeast && 10 * alike[i] < 9 * count[i];
    pairs.may_have_owned = pairs.may_have_owned || (is_used[i] && !is_shared);
  }
  if (pairs.pairs > 0) {
    pairs.alike =
        static_cast<double>(std::accumulate(alike.begin(), alike.end(), std::uint64_t{0})) /
        static_cast<double>(pairs.pairs);
  }
  return pairs;
}

// Returns the probability that two uses at about the same time come from the same node. The uses
// may be anywhere in the region.
double by_chance_in(const Facts& facts) {
  std::map<std::uint64_t, std::map<int, double>> at_times;
  for (const Use& use : facts.uses) {
    at_times[use.time / (2 * kScan)][use.node] += 1;
  }
  double alike = 0;
  double all = 0;
  for (const auto& [time, nodes] : at_times) {
    double sum = 0;
    double squares = 0;
    for (const auto& [node, count] : nodes) {
      sum += count;
      squares += count * count;
    }
    alike += squares / sum;
    all += sum;
  }
  return all == 0 ? 1 : alike / all;
}

}  // namespace

Sharing sharing_of(const Facts& facts) {
  constexpr double kAlmostOne = 0.9;
  Sharing sharing = pairs_in(facts, std::uint64_t{64} << 10);
  if (!sharing.is_known()) {
    sharing = pairs_in(facts, std::uint64_t{2} << 20);  // a huge page is used as a whole
  }
  const double by_chance = by_chance_in(facts);
  sharing.shared =
      by_chance > kAlmostOne ? 0 : std::clamp((1 - sharing.alike) / (1 - by_chance), 0.0, 1.0);
  return sharing;
}

}  // namespace nestbind::memory::watch
