// SPDX-License-Identifier: BSD-3-Clause
#include "loops/site.hpp"

#include <stdlib.h>

#include <algorithm>
#include <new>

namespace nestbind::loops {
namespace {

constexpr auto kUnordered = std::memory_order_relaxed;

// A loop has settled after this number of executions without a change.
constexpr std::uint32_t kSettledSite = 4;
// For a settled loop, 2 means that one of 16 executions is measured. 1 means one of eight
// executions.
constexpr std::uint64_t kSeldom = 2;
constexpr std::uint64_t kSeldomOfOwners = 1;

// The bits of a site's state. The lowest bit is the number of the set.
constexpr int kSeldomShift = 1;
constexpr std::uint64_t kSeldomMask = 3;
constexpr int kTagShift = 3;

void add_to_cell(std::atomic<std::uint64_t>& cell, std::uint64_t number) {
  // Only one thread writes this cell.
  cell.store(cell.load(kUnordered) + number, kUnordered);
}

// Returns the tag of an execution, never 0. If two executions have the same tag, members still
// agree.
std::uint64_t tag_of(std::uint64_t fork, std::uint64_t count) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
  const std::uint64_t tag = (fork * kSpread + count) & (~std::uint64_t{0} >> kTagShift);
  return tag == 0 ? 1 : tag;
}

void store_if_other(std::atomic<std::uint64_t>& cell, std::uint64_t number) {
  if (cell.load(kUnordered) != number) {
    cell.store(number, kUnordered);
  }
}

std::uint64_t in_whole(std::uint64_t chunk, std::uint64_t grain) {
  const std::uint64_t rest = chunk % grain;
  return rest == 0 ? chunk : chunk + (grain - rest);
}

// True if a settled loop is measured in the execution with this tag. The choice looks random,
// because a regular choice can coincide with a pattern of the program.
bool is_one_of_many(std::uint64_t tag, std::uint64_t seldom) {
  constexpr std::uint64_t kOdd = 0xd6e8feb86659fd93;
  const std::uint64_t spread = (tag ^ tag >> 32) * kOdd;
  return (spread ^ spread >> 32) * kOdd >> (62 - seldom) == 0;
}

void use_owners(Ownership* owners, int set, const Ownership::Coming* coming,
                Parameters& parameters) {
  if (owners != nullptr && owners->is_for(set, *coming)) {
    parameters.owners = owners;
    parameters.set = set;
  }
}

// An entry points to this array if its site could not be made, or was freed.
alignas(Site) constinit char g_none[1] = {};
Site* none() { return reinterpret_cast<Site*>(g_none); }

std::uint64_t key_of(std::uintptr_t address, std::uint64_t team, int threads) {
  std::uint64_t key = address * 0x9e3779b97f4a7c15 ^ team;
  key ^= static_cast<std::uint64_t>(threads) << 48;
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93;  // odd, and spreads low bits well
  key ^= key >> 32;
  return key == 0 ? 1 : key;
}

Site* make_site(std::uintptr_t address, std::uint64_t team, int threads, void*& memory) {
  memory = nullptr;
  if (posix_memalign(&memory, alignof(Site), Site::bytes(threads)) != 0) {
    return none();
  }
  return Site::make(memory, address, team, threads);
}

}  // namespace

Parameters default_parameters(const Schedule& schedule, std::uint64_t iterations, int threads) {
  Parameters result;
  result.static_parts =
      schedule.has_fraction() ? schedule.static_parts() : static_parts_for(Estimate{}, 0);
  result.chunk = schedule.chunk > 0 ? schedule.chunk : default_chunk(iterations, threads);
  return result;
}

std::size_t Site::bytes(int threads) {
  const auto members = static_cast<std::size_t>(threads);
  return sizeof(Site) + members * sizeof(Slot) + 2 * (members + 1) * sizeof(std::uint32_t);
}

Site* Site::make(void* memory, std::uintptr_t address, std::uint64_t team, int threads) {
  Site* site = new (memory) Site;
  site->address_ = address;
  site->team_ = team;
  site->threads_ = threads;
  site->slots_ = reinterpret_cast<Slot*>(site + 1);
  for (int member = 0; member < threads; ++member) {
    new (site->slots_ + member) Slot;
  }
  site->weights_ = reinterpret_cast<std::uint32_t*>(site->slots_ + threads);
  for (int i = 0; i < 2 * (threads + 1); ++i) {
    new (site->weights_ + i) std::uint32_t{0};
  }
  return site;
}

std::uint32_t* Site::weights_of(int set) const { return weights_ + (set == 0 ? 0 : threads_ + 1); }

// True if the member has passed a barrier since its last execution. Notes the new execution.
bool Site::has_passed_barrier(Slot& slot, const Moment& moment) {
  const bool is_new = slot.moment.fork != moment.fork;
  const bool has_passed = is_new || slot.moment.barriers != moment.barriers;
  slot.count = is_new ? 1 : slot.count + 1;
  slot.moment = moment;
  return has_passed;
}

bool Site::enter(int member, const Moment& moment, const Schedule& schedule,
                 std::uint64_t iterations, Ticks take, const Ownership::Coming* coming,
                 Parameters& parameters) {
  Ownership* const owners =
      coming == nullptr ? nullptr : Ownership::find(owners_, threads_, *coming);
  Slot& own = slot(member);
  add_to_cell(own.executions, 1);
  own.tag = 0;
  if (!has_passed_barrier(own, moment)) {
    parameters = default_parameters(schedule, iterations, threads_);
    return false;
  }
  const std::uint64_t tag = tag_of(moment.fork, own.count);
  std::uint64_t seen = state_.load(std::memory_order_acquire);
  if (is_skipped(seen, tag)) {
    const int set = static_cast<int>(seen & 1);
    use(set, schedule, iterations, parameters);
    if (owners != nullptr && owners->are_needed(set, schedule)) {
      use_owners(owners, set, coming, parameters);
    }
    return false;
  }
  own.tag = tag;
  if (seen >> kTagShift != own.tag) {
    const std::uint64_t mine = state_of(own.tag, static_cast<int>(~seen & 1));
    if (state_.compare_exchange_strong(seen, mine, std::memory_order_acq_rel)) {
      const int next = static_cast<int>(seen & 1);
      prepare(next, seen >> kTagShift, schedule, take);
      if (owners != nullptr) {
        prepare_owners(*owners, next, *coming, schedule, take);
      }
      seen = mine;
    }
  }
  own.set = static_cast<int>(seen & 1);
  use(own.set, schedule, iterations, parameters);
  use_owners(owners, own.set, coming, parameters);
  if (member == 0) {
    store_if_other(static_parts_, static_cast<std::uint64_t>(parameters.static_parts));
    store_if_other(chunk_, parameters.chunk);
    store_if_other(had_owners_, parameters.owners != nullptr ? 1 : 0);
  }
  return true;
}

// The state has a copy of `seldom` for late members. At that time, another thread may be writing
// the set.
std::uint64_t Site::state_of(std::uint64_t tag, int set) const {
  return tag << kTagShift | sets_[set].seldom << kSeldomShift | static_cast<std::uint64_t>(set);
}

// True if all threads skip the measurement of this execution.
bool Site::is_skipped(std::uint64_t state, std::uint64_t tag) {
  const std::uint64_t seldom = state >> kSeldomShift & kSeldomMask;
  return state >> kTagShift != tag && seldom != 0 && !is_one_of_many(tag, seldom);
}

// The first branch is only for settled static loops. They are the fastest loops.
void Site::use(int set, const Schedule& schedule, std::uint64_t iterations,
               Parameters& parameters) const {
  const Set& known = sets_[set];
  if (!schedule.has_fraction() && known.seldom != 0 && known.static_parts == kParts) {
    parameters.static_parts = kParts;
    parameters.chunk = std::max<std::uint64_t>(schedule.chunk, 1);  // there are no chunks
    parameters.weights = nullptr;
    parameters.owners = nullptr;
    return;
  }
  parameters = default_parameters(schedule, iterations, threads_);
  if (known.estimate.samples == 0) {
    return;
  }
  if (!schedule.has_fraction()) {
    parameters.static_parts = known.static_parts;
  }
  if (schedule.chunk == 0) {
    parameters.chunk = bounded_chunk(known.chunk, iterations, threads_);
  }
  if (schedule.weights == Weights::kMeasured && known.has_weights) {
    parameters.weights = weights_of(set);
  }
}

void Site::prepare(int next, std::uint64_t last_tag, const Schedule& schedule, Ticks take) {
  const Spread spread = spread_of(next, last_tag);
  const Set& current = sets_[1 - next];
  Set& set = sets_[next];
  set = current;
  set.has_weights = false;  // the weights in this set are from an earlier execution
  // With at most one iteration for each member, nothing can be learnt about the balance.
  if (spread.sample.iterations > static_cast<std::uint64_t>(threads_)) {
    set.estimate = updated(current.estimate, spread.sample);
  }
  if (schedule.weights == Weights::kMeasured &&
      (current.has_weights || spread.sample.block_time > 0)) {
    prepare_weights(next, last_tag, spread.sample);
  }
  set.static_parts = static_parts_for(set.estimate, take);
  const int parts = schedule.has_fraction() ? schedule.static_parts() : set.static_parts;
  set.chunk = chunk_for(set.estimate, parts, take);
  const bool has_same_parts = schedule.has_fraction() || set.static_parts == current.static_parts;
  const bool is_same = has_same_parts && (parts == kParts || set.chunk == current.chunk);
  set.unchanged = is_same ? std::min(current.unchanged + 1, kSettledSite) : 0;
  const bool is_settled = set.unchanged == kSettledSite && schedule.weights != Weights::kMeasured &&
                          (parts == kParts || schedule.has_fraction());
  set.seldom = is_settled ? kSeldom : 0;
  if (spread.sample.members > 0) {
    add_to_cell(measured_, 1);
    add_to_cell(time_, spread.last - spread.first);
    add_to_cell(wait_, spread.waits / static_cast<std::uint64_t>(spread.sample.members));
  }
}

// If blocks have owners, the owners decide whether the loop has settled.
void Site::prepare_owners(Ownership& owners, int next, const Ownership::Coming& coming,
                          const Schedule& schedule, Ticks take) {
  Set& set = sets_[next];
  owners.prepare(next, coming, schedule, {set.estimate.region_time, set.estimate.samples, take});
  if (owners.is_for(next, coming)) {
    set.seldom = owners.is_settled(next) ? kSeldomOfOwners : 0;
  } else if (schedule.every != 0) {
    set.seldom = 0;
  }
}

void Site::prepare_weights(int next, std::uint64_t last_tag, const Sample& sample) {
  const std::uint32_t* before = weights_of(1 - next);
  const bool has_last = sets_[1 - next].has_weights;
  std::uint32_t* weights = weights_of(next);
  for (int member = 0; member < threads_; ++member) {
    const Figures& figures = slot(member).figures[next];
    const bool is_there = figures.tag.load(kUnordered) == last_tag;
    const Ticks time = figures.block_end.load(kUnordered) - figures.begin.load(kUnordered);
    const std::uint64_t ran = is_there ? figures.block_iterations.load(kUnordered) : 0;
    const std::uint32_t last = has_last ? before[member + 1] - before[member] : 0;
    weights[member + 1] = weights[member] + updated_weight(last, ran, time, sample.block_iterations,
                                                           sample.block_time);
  }
  sets_[next].has_weights = true;
}

Site::Spread Site::spread_of(int set, std::uint64_t tag) const {
  Spread spread;
  spread.sample.team = threads_;
  Ticks ends = 0;
  for (int member = 0; member < threads_; ++member) {
    const Figures& figures = slot(member).figures[set];
    if (tag == 0 || figures.tag.load(kUnordered) != tag) {
      continue;
    }
    const Ticks begin = figures.begin.load(kUnordered);
    const Ticks end = figures.end.load(kUnordered);
    const Ticks block = figures.block_end.load(kUnordered) - begin;
    Sample& sample = spread.sample;
    ++sample.members;
    sample.most = std::max(sample.most, block);
    sample.block_time += block;
    sample.block_iterations += figures.block_iterations.load(kUnordered);
    sample.busy_time += end - begin;
    sample.iterations += figures.iterations.load(kUnordered);
    spread.longest = std::max(spread.longest, end - begin);
    spread.first = std::min(spread.first, begin);
    spread.last = std::max(spread.last, end);
    ends += end;
  }
  spread.waits = spread.last * static_cast<std::uint64_t>(spread.sample.members) - ends;
  return spread;
}

void Site::leave(int member, const Tally& tally) {
  Slot& own = slot(member);
  add_to_cell(own.tally[0], tally.of_block);
  add_to_cell(own.tally[1], tally.of_own_queue);
  for (int i = 0; i < kDistances; ++i) {
    add_to_cell(own.tally[2 + i], tally.stolen[i]);
  }
}

void Site::note_division(std::uint64_t grain, bool has_shared_queue) {
  store_if_other(grain_, grain);
  if (has_shared_queue && !has_shared_queue_.load(kUnordered)) {
    has_shared_queue_.store(true, kUnordered);
  }
}

void Site::leave(int member, const Times& times, const Tally& tally) {
  leave(member, tally);
  Slot& own = slot(member);
  Figures& figures = own.figures[own.set];
  figures.begin.store(times.begin, kUnordered);
  figures.block_end.store(times.block_end, kUnordered);
  figures.end.store(times.end, kUnordered);
  figures.block_iterations.store(tally.of_block, kUnordered);
  figures.iterations.store(tally.total(), kUnordered);
  figures.tag.store(own.tag, kUnordered);
}

Site::Summary Site::summary() const {
  Summary result;
  for (int member = 0; member < threads_; ++member) {
    const Slot& of = slot(member);
    result.executions = std::max(result.executions, of.executions.load(kUnordered));
    result.tally.of_block += of.tally[0].load(kUnordered);
    result.tally.of_own_queue += of.tally[1].load(kUnordered);
    for (int i = 0; i < kDistances; ++i) {
      result.tally.stolen[i] += of.tally[2 + i].load(kUnordered);
    }
  }
  result.iterations = result.tally.total();
  result.had_owners = had_owners_.load(kUnordered) != 0;
  result.static_parts = static_cast<int>(static_parts_.load(kUnordered));
  result.chunk = in_whole(chunk_.load(kUnordered), grain_.load(kUnordered));
  result.has_shared_queue = has_shared_queue_.load(kUnordered);
  result.measured = measured_.load(kUnordered);
  result.time = time_.load(kUnordered);
  result.wait = wait_.load(kUnordered);
  if (Ownership::memory(owners_) != nullptr) {
    result.owners = owners_.load(std::memory_order_acquire)->summary();
  }
  const std::uint64_t state = state_.load(std::memory_order_acquire);
  const Spread last = spread_of(static_cast<int>(state & 1), state >> kTagShift);
  if (last.sample.members > 0 && last.sample.busy_time > 0) {
    const auto members = static_cast<std::uint64_t>(last.sample.members);
    ++result.measured;
    result.time += last.last - last.first;
    result.wait += last.waits / members;
    result.imbalance = last.longest * members * Estimate::kOne / last.sample.busy_time;
  }
  return result;
}

bool Sites::is_site(const Site* site) { return site != nullptr && site != none(); }

// Several members may make a site at the same time. The entry keeps the first of these sites.
Site* Sites::site_of(Entry& entry, std::uintptr_t address, std::uint64_t team, int threads) {
  Site* site = entry.site.load(std::memory_order_acquire);
  if (site == nullptr) {
    void* memory = nullptr;
    Site* mine = make_site(address, team, threads, memory);
    if (entry.site.compare_exchange_strong(site, mine, std::memory_order_acq_rel)) {
      site = mine;
      bytes_.fetch_add(is_site(mine) ? Site::bytes(threads) : 0, std::memory_order_relaxed);
    } else {
      free(memory);
    }
  }
  return is_site(site) && site->is_of(address, team, threads) ? site : nullptr;
}

Site* Sites::find(std::uintptr_t address, std::uint64_t team, int threads) {
  const std::uint64_t key = key_of(address, team, threads);
  for (int step = 0; step < kPlaces; ++step) {
    Entry& entry = entries_[(key + static_cast<std::uint64_t>(step)) % kSize];
    std::uint64_t there = entry.key.load(std::memory_order_relaxed);
    if (there == 0 && entry.key.compare_exchange_strong(there, key, std::memory_order_relaxed)) {
      there = key;
      was_used_.store(true, std::memory_order_relaxed);
    }
    if (there == key) {
      return site_of(entry, address, team, threads);
    }
  }
  was_full_.store(true, std::memory_order_relaxed);
  return nullptr;
}

void Sites::forget(std::uint64_t team) {
  for (Entry& entry : entries_) {
    Site* const site = entry.site.load(std::memory_order_acquire);
    if (is_site(site) && site->team() == team) {
      entry.site.store(none(), std::memory_order_release);
      bytes_.fetch_sub(Site::bytes(site->threads()), std::memory_order_relaxed);
      free(site->more_memory());
      free(site);
    }
  }
}

}  // namespace nestbind::loops
