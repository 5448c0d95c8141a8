// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "memory/watch/process_table.hpp"

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

constexpr double kAll = 100;
constexpr double kLeastLocal = 10;    // the least gain of local uses, in per cent of the uses
constexpr double kLeastBalance = 30;  // the least reduction of the imbalance, in per cent
constexpr double kUneven = 20;        // least imbalance for automatic interleaving, in per cent
constexpr std::uint64_t kHuge = std::uint64_t{2} << 20;
constexpr double kMost = 0.8;  // the least fraction of uses with a known home

std::size_t place_of(const Facts& facts, int node) {
  return static_cast<std::size_t>(std::ranges::find(facts.nodes, node) - facts.nodes.begin());
}

std::vector<double> users_of(const Facts& facts) {
  std::vector<double> users(facts.nodes.size());
  double all = 0;
  for (const Use& use : facts.uses) {
    const std::size_t place = place_of(facts, use.node);
    if (place < users.size()) {
      users[place] += use.weight;
      all += use.weight;
    }
  }
  for (double& part : users) {
    part = all == 0 ? 0 : kAll * part / all;
  }
  return users;
}

double part_with_home(const Facts& facts) {
  double known = 0;
  double all = 0;
  for (const Use& use : facts.uses) {
    known += facts.home(use) >= 0 ? use.weight : 0;
    all += use.weight;
  }
  return known / all;
}

double crowd(const Figures& figures, double of_users) {
  return std::max(0.0, figures.imbalance - of_users);
}

// Returns the error, in per cent, that chance may cause with this number of samples.
double chance_in(std::uint64_t samples) {
  constexpr double kDeviations = 2.5;
  constexpr double kLargest = 50;  // the standard deviation of one sample, in per cent
  return samples >= kEnough ? 0 : kDeviations * kLargest / std::sqrt(static_cast<double>(samples));
}

bool gains(const Figures& now, const Figures& then, double of_users, std::uint64_t samples) {
  const double local = then.local - now.local;
  const double balance = crowd(now, of_users) - crowd(then, of_users);
  const double chance = chance_in(samples);
  return (local >= kLeastLocal + chance && balance > -kLeastBalance) ||
         (balance >= kLeastBalance + 2 * chance && local > -std::max(kLeastLocal, balance / 6));
}

// Computes the imbalance from bytes, because huge pages have too few uses.
Figures of_block(const Facts& facts) {
  const auto parts = spread::block(facts.begin, facts.end - facts.begin, facts.team);
  std::vector<double> on(facts.nodes.size() + 1);
  std::uint64_t begin = facts.begin;
  for (const spread::Part& part : parts) {
    on[place_of(facts, part.node)] += static_cast<double>(part.end - begin);
    begin = part.end;
  }
  on.pop_back();
  const auto home = [&](const Use& use) { return spread::node_at(parts, use.address); };
  return {figures_of(facts, home).local, imbalance_of(on)};
}

Figures of_interleave(const Verdict& verdict) {
  const auto nodes = static_cast<double>(verdict.users.size());
  return {kAll / nodes, 0};
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

Figures figures_of(const Facts& facts, const std::function<int(const Use&)>& home) {
  std::vector<double> on(facts.nodes.size());
  double local = 0;
  double all = 0;
  for (const Use& use : facts.uses) {
    const int node = home(use);
    const std::size_t place = place_of(facts, node);
    if (place == on.size()) {
      continue;
    }
    on[place] += use.weight;
    local += node == use.node ? use.weight : 0;
    all += use.weight;
  }
  return all == 0 ? Figures{} : Figures{kAll * local / all, imbalance_of(on)};
}

double imbalance_of(std::span<const double> numbers) {
  const auto count = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) {
    squares += (number - mean) * (number - mean);
  }
  return numbers.size() < 2 || mean == 0 ? 0 : kAll * std::sqrt(squares / (count - 1)) / mean;
}

void weigh_evenly(Facts& facts) {
  std::vector<double> usual;
  std::ranges::transform(facts.uses, std::back_inserter(usual), &Use::weight);
  std::ranges::sort(usual);
  std::map<std::uint64_t, double> sums;
  for (Use& use : facts.uses) {
    use.weight = std::min(use.weight, 2 * usual[usual.size() / 2]);
    sums[use.address / kHuge] += use.weight;
  }
  for (Use& use : facts.uses) {
    const std::uint64_t piece = use.address / kHuge;
    const std::uint64_t begin = std::max(facts.begin, piece * kHuge);
    const std::uint64_t end = std::min(facts.end, (piece + 1) * kHuge);
    use.weight *= static_cast<double>(end - begin) / sums[piece];
  }
}

Verdict judge(const Facts& facts) {
  Verdict verdict;
  verdict.samples = facts.uses.size();
  verdict.users = users_of(facts);
  if (facts.uses.empty() || facts.nodes.empty()) {
    return verdict;
  }
  verdict.now = figures_of(facts, facts.home);
  verdict.sharing = sharing_of(facts);
  if (verdict.samples < kFewest || !facts.may_be_judged || part_with_home(facts) < kMost) {
    return verdict;
  }
  verdict.remedy = Remedy::kNone;
  verdict.then = verdict.now;
  // Memory that all nodes use must not count as one node's memory. One node may have most of the
  // hinting faults because it is often the first to use a page after a scan.
  constexpr double kByAll = 0.5;
  const bool is_by_all = verdict.sharing.shared >= kByAll;
  const double of_users = is_by_all ? 0 : imbalance_of(verdict.users);
  Figures now = verdict.now;
  now.local = is_by_all ? std::min(now.local, of_interleave(verdict).local) : now.local;
  // Each remedy ties the memory more closely to its present users than the remedy before. So it
  // must make many more uses local than the remedy before.
  const auto consider = [&](Remedy remedy, const Figures& then) {
    const bool is_better =
        verdict.remedy == Remedy::kNone || then.local >= verdict.then.local + kLeastLocal;
    if (gains(now, then, of_users, verdict.samples) && is_better) {
      verdict.remedy = remedy;
      verdict.then = then;
    }
  };
  consider(Remedy::kInterleave, of_interleave(verdict));
  const auto most = std::ranges::max_element(verdict.users) - verdict.users.begin();
  verdict.node = facts.nodes[static_cast<std::size_t>(most)];
  if (!facts.team.empty() && !is_by_all) {
    consider(Remedy::kBlock, of_block(facts));
  }
  if (!is_by_all) {
    consider(Remedy::kLocal, figures_of(facts, [&](const Use&) { return verdict.node; }));
  }
  if (verdict.sharing.is_known() && !is_by_all) {
    consider(Remedy::kOwn, {kAll * verdict.sharing.alike, of_users});
  }
  if (verdict.remedy == Remedy::kNone && verdict.samples < kEnough) {
    verdict.remedy = Remedy::kUnseen;  // more samples may show a remedy
  }
  return verdict;
}

bool is_to_be_interleaved(const Facts& facts, const Verdict& verdict,
                          std::span<const double> pages_on) {
  constexpr double kShared = 0.5;
  constexpr double kByAll = 0.95;
  constexpr double kUser = 10;  // per cent of the uses
  const auto users =
      std::ranges::count_if(verdict.users, [](double part) { return part >= kUser; });
  const double most_local = of_interleave(verdict).local + kLeastLocal;
  // On a busy machine many faults are local even if all nodes use all of the memory equally.
  const bool is_by_all = verdict.sharing.shared >= kByAll && !verdict.users.empty() &&
                         std::ranges::max(verdict.users) < most_local;
  return facts.may_be_judged && verdict.samples >= kFewest && users >= 2 &&
         verdict.sharing.is_known() && !verdict.sharing.may_have_owned &&
         verdict.sharing.shared >= kShared && imbalance_of(pages_on) > kUneven &&
         (is_by_all || verdict.now.local < most_local);
}

}  // namespace nestbind::memory::watch
