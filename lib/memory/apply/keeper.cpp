// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/keeper.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "memory/apply/areas.hpp"
#include "memory/apply/homes.hpp"

namespace nestbind::memory::apply {
namespace {

constexpr int kMostInVain = 2;

// Its whole pages.
Range pages_of(const Range& range, std::size_t page) {
  const std::uintptr_t begin = (range.begin + page - 1) / page * page;
  return {begin, std::max(begin, range.end / page * page)};
}

}  // namespace

// Those that may be moved, and what goes with each.
struct Keeper::Regions {
  std::vector<Region> regions;
  std::vector<Kept*> kept;
  Counts counts;
};

Keeper::Keeper(World& world, const Manner& manner)
    : world_(world), manner_(manner), samples_(manner.most_units, manner.nodes, manner.sizes) {
  record_.pages_to.resize(static_cast<std::size_t>(manner.nodes));
  record_.pages_from.resize(static_cast<std::size_t>(manner.nodes));
}

void Keeper::end_scan() {
  samples_.end_scan();
  ++record_.scans;
}

void Keeper::leave(const Range& range, Why why) {
  const Left left{range, why};
  const auto at = std::ranges::lower_bound(record_.left, range.begin, {},
                                           [](const Left& one) { return one.range.begin; });
  constexpr std::size_t kMost = 1024;
  if (record_.left.size() < kMost && std::ranges::find(record_.left, left) == record_.left.end()) {
    record_.left.insert(at, left);
  }
}

void Keeper::forget(std::uintptr_t name, Kept& kept) {
  const Range range = kept.range;
  samples_.forget(range);
  restraint_.forget(name, range);
  std::erase_if(in_vain_, [&](const auto& unit) {
    return unit.first >= range.begin && unit.first < range.end;
  });
  kept = {};
  kept.range = range;
}

// What is not mapped any more, or mapped anew: a policy of ours that is gone tells.
void Keeper::forget_unmapped(std::span<const Area> areas) {
  for (auto& [name, kept] : kept_) {
    const Range& held = kept.account.held();
    if (held.bytes() > 0 && !is_spread(held, areas)) {
      forget(name, kept);
    }
  }
  for (auto at = kept_.begin(); at != kept_.end();) {
    Kept& kept = at->second;
    const bool is_there =
        std::ranges::any_of(areas, [&](const Area& area) { return overlaps(area, kept.range); });
    if (!is_there) {
      forget(at->first, kept);
    }
    at = is_there ? std::next(at) : kept_.erase(at);
  }
}

// Since it was found last, by more than pages here and there. What was seen of it is forgotten
// then.
bool Keeper::has_grown(Kept& kept, std::uint64_t there) {
  constexpr std::uint64_t kPart = 16;
  const std::uint64_t before = std::exchange(kept.there, std::max(kept.there, there));
  if (kept.is_ready || before == 0 || there <= before + before / kPart) {
    return false;
  }
  kept.has_scan = false;
  samples_.forget(kept.range);
  return true;
}

bool Keeper::judge_ready(Kept& kept, const Seen& seen, std::uint64_t there) const {
  constexpr std::uint64_t kOf = 4;  // three quarters
  std::uint64_t judged = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    judged += seen.all(i) >= Samples::kEnough ? seen.unit(i).bytes : 0;
  }
  if (!kept.has_scan && seen.size() > 0) {
    kept.has_scan = true;
    kept.first_scan = record_.scans;
  }
  const std::uint64_t scans = kept.has_scan ? record_.scans - kept.first_scan : 0;
  return scans >= kMostScans || (scans >= kLeastScans && kOf * judged >= (kOf - 1) * there);
}

// Asks for all pages of a region that has just been given a policy: the kernel's balancing may
// have scattered those of a unit, which counts as one.
void Keeper::find_strays(Region& region, Kept& kept) {
  constexpr int kMostTimes = 16;
  const std::size_t page = manner_.sizes.page;
  std::vector<int> nodes;
  bool has_any = false;
  for (std::size_t i = 0; i < region.seen.size(); ++i) {
    const Unit& unit = region.seen.unit(i);
    nodes.assign(unit.bytes / page, kNoNode);
    world_.find_all_nodes({unit.begin, unit.end()}, nodes);
    const int home = most_of(nodes);
    region.seen.set_home(i, home);
    const auto away = static_cast<std::uint64_t>(
        std::ranges::count_if(nodes, [&](int node) { return node != kNoNode && node != home; }));
    if (away > 0) {
      strays_.push_back({{unit, home, home, region.name, Fate::kMove, 0}, away * page});
      has_any = true;
    }
  }
  kept.is_whole = !has_any || ++kept.gathered > kMostTimes;
}

void Keeper::find_homes(Region& region, Kept& kept) {
  if (kept.account.held().bytes() > 0 && !kept.is_whole) {
    find_strays(region, kept);
  } else {
    probe_homes(world_, region.seen);
    if (kept.account.held().bytes() > 0) {
      find_hidden_homes(world_, manner_.sizes.page, region.seen);
    }
  }
  for (std::size_t i = 0; i < region.seen.size(); ++i) {
    const auto failed = in_vain_.find(region.seen.unit(i).begin);
    if (failed != in_vain_.end() && failed->second >= kMostInVain) {
      region.seen.set_home(i, kNoNode);
    }
  }
}

// Takes the policy off; what was seen under it is as old.
void Keeper::release(Kept& kept) {
  world_.release(kept.account.held());
  kept.account.drop();
  kept.is_ready = false;
  kept.is_whole = false;
  kept.gathered = 0;
  kept.has_scan = false;
  samples_.forget(kept.range);
}

// Who used a region when it was dealt may not use it any more. What was moved may be moved again:
// the terms keep it from going to and fro.
void Keeper::look_anew() {
  for (auto& [name, kept] : kept_) {
    if (kept.account.held().bytes() > 0 && kept.term.is_over(record_.intervals)) {
      release(kept);
      restraint_.forget(name, kept.range);
      kept.term.look(record_.intervals);
    }
  }
}

void Keeper::give_back() noexcept {
  for (auto& [name, kept] : kept_) {
    if (kept.account.held().bytes() > 0) {
      world_.release(kept.account.held());
    }
  }
  record_.spread_bytes = 0;
}

Keeper::Regions Keeper::take(std::span<const Found> found, bool may_look_anew) {
  std::vector<Range> ranges;
  for (const Found& one : found) {
    ranges.push_back(pages_of(one.range, manner_.sizes.page));
  }
  const std::vector<Area> areas = world_.areas(ranges);
  for (std::size_t i = 0; i < found.size(); ++i) {
    kept_[ranges[i].begin].range = ranges[i];
  }
  forget_unmapped(areas);
  if (may_look_anew) {
    look_anew();
  }
  strays_.clear();
  Regions taken;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto at = kept_.find(ranges[i].begin);
    if (const Bar bar = bar_of(ranges[i], areas); bar != Bar::kNone) {
      leave(ranges[i], why_of(bar));
      continue;
    }
    if (at == kept_.end() || !is_free(ranges[i], areas)) {
      continue;  // it has just been given back
    }
    Kept& kept = at->second;
    if (has_grown(kept, found[i].there)) {
      continue;
    }
    Region region{ranges[i].begin, kept.account.seen(samples_, ranges[i], manner_.huge)};
    find_homes(region, kept);
    kept.is_ready = kept.is_ready || judge_ready(kept, region.seen, found[i].there);
    region.is_ready = kept.is_ready;
    taken.regions.push_back(std::move(region));
    taken.kept.push_back(&kept);
  }
  taken.counts.traffic = traffic_of(taken.regions);
  return taken;
}

// What several nodes use is held before it is dealt. Returns whether it is now.
bool Keeper::hold(Region& region, Kept& kept) {
  if (kept.account.held().bytes() > 0 || !Account::is_shared(region.seen)) {
    return false;
  }
  if (std::ranges::count_if(kept_, [](const auto& one) {
        return one.second.account.held().bytes() > 0;
      }) >= kMostHeld) {
    leave(kept.range, Why::kMany);
    region.is_ready = false;  // what is dealt would not stay
    return false;
  }
  // Right before it: what is mapped there may be another's meanwhile.
  const std::vector<Area> areas = world_.areas({&kept.range, 1});
  if (!is_free(kept.range, areas)) {
    region.is_ready = false;
    return false;
  }
  if (!world_.spread(kept.range)) {
    leave(kept.range, Why::kRefused);
    region.is_ready = false;  // likewise
    return false;
  }
  kept.account.hold(region.seen, kept.range, manner_.sizes, manner_.huge);
  kept.term.hold(record_.intervals);
  return true;
}

void Keeper::hold_shared(Regions& regions) {
  const bool is_wanted = enabled(regions.counts, manner_.always).interleaving ||
                         (manner_.always && restraint_.rest().interleaving);
  bool is_more = false;
  for (std::size_t i = 0; i < regions.regions.size(); ++i) {
    Region& region = regions.regions[i];
    Kept& kept = *regions.kept[i];
    const bool was_held = kept.term.is_look();
    if (!region.is_ready || restraint_.standing(region.name) != Standing::kFree ||
        !(is_wanted || was_held)) {
      continue;
    }
    if (hold(region, kept)) {
      region.seen = kept.account.seen(samples_, kept.range, manner_.huge);
      find_homes(region, kept);
      is_more = true;
    } else if (was_held) {
      kept.term = {};  // it is used in another way now
    }
  }
  if (is_more) {
    regions.counts.traffic = traffic_of(regions.regions);
    // Also where that is below the bound, now that all of it is counted, or since the kernel has
    // drawn a part away while it was looked at: for a term it would stay as it is.
    restraint_.go_on_dealing();
  }
}

void Keeper::note(const Order& order, const Carried& carried, const Traffics& before) {
  if (carried.pages == 0) {
    return;  // it is gone, or was not come to
  }
  record_.pages_to[static_cast<std::size_t>(order.to)] += carried.arrived;
  record_.pages_from[static_cast<std::size_t>(order.from)] += carried.arrived;
  record_.pages_kept += carried.pages - carried.there;
  if (carried.is_moved()) {
    restraint_.moved(order.unit.begin, order.region, before);
  } else if (++in_vain_[order.unit.begin] == kMostInVain) {
    leave({order.unit.begin, order.unit.end()}, Why::kHeld);
  }
}

// What is left of the bytes goes to those of which nothing else is ordered.
std::vector<Order> Keeper::gathering(const Orders& orders, std::uint64_t bytes) const {
  std::set<std::uintptr_t> ordered;
  for (const Order& order : orders.moves) {
    ordered.insert(order.unit.begin);
    bytes -= std::min<std::uint64_t>(bytes, order.unit.bytes);
  }
  std::vector<Order> gathered;
  for (const Stray& stray : strays_) {
    if (stray.bytes <= bytes && !ordered.contains(stray.order.unit.begin)) {
      bytes -= stray.bytes;
      gathered.push_back(stray.order);
    }
  }
  return gathered;
}

void Keeper::carry_out(const Regions& regions, const Orders& orders, std::uint64_t bytes) {
  const std::uint64_t before = record_.pages();
  std::vector<Traffics> traffics;
  traffics.reserve(regions.regions.size());
  for (const Region& region : regions.regions) {
    traffics.push_back({traffic_of(region.seen), regions.counts.traffic});
  }
  const std::vector<Carried> carried = carry(world_, orders.moves, manner_.sizes.page);
  for (std::size_t i = 0; i < carried.size(); ++i) {
    note(orders.moves[i], carried[i], traffics[orders.moves[i].place]);
  }
  const std::vector<Order> gathered = gathering(orders, bytes);
  const std::vector<Carried> brought = carry(world_, gathered, manner_.sizes.page);
  for (std::size_t i = 0; i < brought.size(); ++i) {
    record_.pages_to[static_cast<std::size_t>(gathered[i].to)] += brought[i].arrived;
  }
  if (!record_.has_moved && record_.pages() > before) {
    record_.has_moved = true;
    record_.before = regions.counts.traffic;
  }
}

void Keeper::interval(std::span<const Found> regions, std::uint64_t microseconds) {
  ++record_.intervals;
  Regions taken = take(regions, true);
  hold_shared(taken);
  record_.after = taken.counts.traffic;
  const bool is_wanted =
      enabled(taken.counts, manner_.always).any() || restraint_.rest().any() || !strays_.empty();
  const std::vector<NodeMemory> memory =
      is_wanted ? world_.memory() : std::vector<NodeMemory>(record_.pages_to.size());
  for (std::size_t node = 0; node < memory.size(); ++node) {
    const bool is_full = memory[node].total > 0 && !has_room(memory[node].free, memory[node].total);
    record_.full |= NodeSet{is_full ? 1U : 0U} << node;
  }
  const Limits limits{bytes_allowed(world_.process_bytes(), microseconds), manner_.always};
  const Orders orders = orders_of(taken.counts, taken.regions, memory, limits, restraint_);
  record_.replicas = std::max<std::uint64_t>(record_.replicas, orders.replicas);
  for (const std::uint64_t name : orders.stopped) {
    const auto at = kept_.find(name);
    if (at != kept_.end()) {
      leave(at->second.range, Why::kNotBetter);
      if (at->second.account.held().bytes() > 0) {
        release(at->second);
      }
    }
  }
  carry_out(taken, orders, limits.bytes);
  record_.spread_bytes = 0;
  for (const auto& [name, kept] : kept_) {
    record_.spread_bytes += kept.account.held().bytes();
  }
}

void Keeper::look(std::span<const Found> regions) {
  record_.after = take(regions, false).counts.traffic;
}

}  // namespace nestbind::memory::apply
