// SPDX-License-Identifier: BSD-3-Clause
#include "memory/interval.hpp"

#include <algorithm>

#include "memory/deal.hpp"

namespace nestbind::memory {
namespace {

// A unit of a region.
struct Place {
  std::size_t region = 0;
  std::size_t unit = 0;
};

// Whether a region has units of one user that are no chance. Of units that all nodes use alike,
// some are seen from one node only: of four nodes and four samples 1.6 %. They would go to and fro.
bool has_own_units(const Seen& seen) {
  constexpr std::uint64_t kPartByChance = 20;  // 1/20
  std::uint64_t own = 0;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto samples = seen.samples(i);
    const bool has_one_user = std::count(samples.begin(), samples.end(), 0U) + 1 == seen.nodes();
    all += seen.all(i);
    own += has_one_user ? seen.all(i) : 0;
  }
  return own * kPartByChance >= all;
}

// What is enabled: by the rules, and what the last interval could not end, unless all is local now.
Enabled with_rest(const Counts& counts, bool always, const Enabled& rest) {
  Enabled on = enabled(counts, always);
  if (is_on(counts, always) && counts.traffic.local < counts.traffic.all()) {
    on.interleaving = on.interleaving || rest.interleaving;
    on.migration = on.migration || rest.migration;
  }
  return on;
}

// What an interval's orders are made of, step by step.
class Interval {
 public:
  Interval(std::span<const Region> regions, std::span<const NodeMemory> nodes, const Limits& limits,
           const Restraint& restraint)
      : regions_(regions),
        restraint_(restraint),
        load_(traffic_of(regions).to),
        bytes_left_(limits.bytes) {
    load_.resize(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const bool has_any = nodes[node].total > 0 && has_room(nodes[node].free, nodes[node].total);
      allowed_ |= NodeSet{has_any ? 1U : 0U} << node;
    }
  }

  // By the rules: orders what is to be moved to its user, and keeps what is to be interleaved.
  void decide(Orders& orders);
  // Deals that, now that it is known where the rest will be.
  void deal_kept(Orders& orders);
  // What would have gone on, had more bytes been allowed.
  const Enabled& rest() const { return rest_; }

 private:
  const Seen& seen(const Place& place) const { return regions_[place.region].seen; }
  void decide_region(Orders& orders, std::size_t region);
  bool may_judge(const Place& place) const;
  void order(Orders& orders, const Place& place, int to, Fate why);

  std::span<const Region> regions_;
  const Restraint& restraint_;
  std::vector<std::uint64_t> load_;
  std::uint64_t bytes_left_;
  NodeSet allowed_ = 0;
  std::vector<Place> kept_;
  Enabled rest_;
};

bool Interval::may_judge(const Place& place) const {
  const Seen& in = seen(place);
  return in.home(place.unit) >= 0 && in.all(place.unit) >= Samples::kEnough &&
         restraint_.may_move(in.unit(place.unit).begin);
}

void Interval::order(Orders& orders, const Place& place, int to, Fate why) {
  const Seen& in = seen(place);
  const int from = in.home(place.unit);
  orders.moves.push_back(
      {in.unit(place.unit), from, to, regions_[place.region].name, why, place.region});
  bytes_left_ -= in.unit(place.unit).bytes;
  load_[static_cast<std::size_t>(from)] -= in.all(place.unit);
  load_[static_cast<std::size_t>(to)] += in.all(place.unit);
}

void Interval::decide(Orders& orders) {
  for (std::size_t region = 0; region < regions_.size(); ++region) {
    if (regions_[region].is_ready &&
        restraint_.standing(regions_[region].name) == Standing::kFree) {
      decide_region(orders, region);
    }
  }
}

void Interval::decide_region(Orders& orders, std::size_t region) {
  const Seen& in = regions_[region].seen;
  const bool has_own = has_own_units(in);
  for (std::size_t unit = 0; unit < in.size(); ++unit) {
    const Place place{region, unit};
    if (!may_judge(place)) {
      continue;
    }
    const Decision decision =
        fate_of({in.samples(unit), in.writes(unit), in.home(unit)}, orders.enabled);
    if (decision.fate == Fate::kReplicate) {
      ++orders.replicas;
    } else if (decision.fate == Fate::kInterleave) {
      kept_.push_back(place);
    } else if (decision.fate == Fate::kMove && has_own && has(allowed_, decision.user)) {
      const bool fits = in.unit(unit).bytes <= bytes_left_;
      rest_.migration = rest_.migration || !fits;
      if (fits) {
        order(orders, place, decision.user, Fate::kMove);
      }
    }
  }
}

void Interval::deal_kept(Orders& orders) {
  std::vector<Card> cards;
  cards.reserve(kept_.size());
  for (const Place& place : kept_) {
    const Seen& in = seen(place);
    cards.push_back({in.all(place.unit), in.unit(place.unit).bytes, in.home(place.unit)});
  }
  const Hand hand = deal(cards, load_, allowed_, bytes_left_);
  rest_.interleaving = hand.is_cut;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (hand.to[i] != cards[i].home) {
      order(orders, kept_[i], hand.to[i], Fate::kInterleave);
    }
  }
}

}  // namespace

Traffic traffic_of(std::span<const Region> regions) {
  Traffic traffic;
  for (const Region& region : regions) {
    const Traffic part = traffic_of(region.seen);
    traffic.to.resize(std::max(traffic.to.size(), part.to.size()));
    std::transform(part.to.begin(), part.to.end(), traffic.to.begin(), traffic.to.begin(),
                   std::plus<>());
    traffic.local += part.local;
  }
  return traffic;
}

Orders orders_of(const Counts& counts, std::span<const Region> regions,
                 std::span<const NodeMemory> nodes, const Limits& limits, Restraint& restraint) {
  Orders orders;
  restraint.begin();
  const Traffic all = traffic_of(regions);
  for (const Region& region : regions) {
    const bool was_free = restraint.standing(region.name) == Standing::kFree;
    const Standing standing = restraint.judge(region.name, {traffic_of(region.seen), all});
    if (standing == Standing::kStopped && was_free) {
      orders.stopped.push_back(region.name);
    }
  }
  orders.enabled = with_rest(counts, limits.always, restraint.rest());
  restraint.leave({});
  if (!orders.enabled.any()) {
    return orders;
  }
  Interval interval(regions, nodes, limits, restraint);
  interval.decide(orders);
  interval.deal_kept(orders);
  restraint.leave(interval.rest());
  std::sort(orders.moves.begin(), orders.moves.end(), [](const Order& one, const Order& other) {
    return one.place != other.place ? one.place < other.place : one.unit.begin < other.unit.begin;
  });
  return orders;
}

}  // namespace nestbind::memory
