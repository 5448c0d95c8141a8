// SPDX-License-Identifier: BSD-3-Clause
#include "loops/ownership.hpp"

#include <stdlib.h>

#include <algorithm>
#include <new>

#include "loops/division.hpp"
#include "support/allocate.hpp"
#include "support/floating_point.hpp"

namespace nestbind::loops {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// look() compares each block with each thread. 2^20 comparisons take two milliseconds.
constexpr int kMostCompared = 1 << 20;
// The unit of kRun and kShort is the time to take a chunk (0.1 us). Short blocks are joined to
// runs of at least kRun. A loop that is shorter than kShort gets no owners.
constexpr Ticks kRun = 50;
constexpr Ticks kShort = 200;
constexpr std::uint32_t kFewestSamples = 4;
// Owners may settle after this number of measured executions.
constexpr std::uint64_t kKnown = 32;
// A set that is older than this number of generations is not used, because generations wrap
// (cursor.hpp).
constexpr std::uint64_t kLong = kGenerations / 4;

void add(std::atomic<std::uint64_t>& cell, std::uint64_t number) {
  // Only one thread writes this cell.
  cell.store(cell.load(kRelaxed) + number, kRelaxed);
}

std::uint64_t in_hundredths(double number) {
  constexpr double kHalves = 200;
  return (static_cast<std::uint64_t>(number * kHalves) + 1) / 2;
}

alignas(Ownership) constinit char g_no_ownership[1] = {};
Ownership* no_ownership() { return reinterpret_cast<Ownership*>(g_no_ownership); }

}  // namespace

int Ownership::most_blocks(int threads, int wanted) {
  return std::min(wanted, kMostCompared / (threads * threads));
}

// During the call, no thread may use the set or call note().
void Ownership::begin_anew(Set& set, const Coming& coming) {
  const Shape& shape = coming.shape;
  const Blocks blocks(shape.iterations, shape.grain, threads_, std::min(shape.wanted, most_));
  set.shape = shape;
  set.generation = coming.generation;
  set.executions = 0;
  ++set.version;
  set.each = blocks.each();
  set.has_changed = set.is_left = set.is_settled = false;
  for (int block = 0; block < blocks.count(); ++block) {
    new (blocks_ + block) Block;
    set.time[block] = 0;
    set.owner[block] = blocks.first_owner(block);
  }
  for (int member = 0; member < threads_; ++member) {
    runs_[member].off.store(0, kRelaxed);
  }
  balance::make_lists(set.owner, blocks.count(), threads_, set.first, set.block);
  find_nodes(*coming.places);
  count_.store(static_cast<std::uint64_t>(blocks.count()), kRelaxed);
}

// If a node is not known, or there are too many nodes, all members get the number 0.
void Ownership::find_nodes(const Places& places) {
  std::uint16_t found[kMostNodes] = {};
  int nodes = 0;
  for (int member = 0; member < threads_ && nodes >= 0; ++member) {
    const std::uint16_t node = places.of(member).node;
    const int number = static_cast<int>(std::find(found, found + nodes, node) - found);
    if (node == Place::kNowhere || number == most_nodes_) {
      nodes = -1;
      break;
    }
    found[number] = node;
    nodes = std::max(nodes, number + 1);
    node_[member] = number;
  }
  if (nodes < 0) {
    std::fill(node_, node_ + threads_, 0);
    nodes = 1;
    found[0] = Place::kNowhere;
  }
  machine_ = {threads_, nodes, node_, factor_};
  find_factors(places, found);
}

// Computes distances relative to the distance within a node. If a distance is not known, the factor
// is 2.
void Ownership::find_factors(const Places& places, const std::uint16_t* found) {
  const support::UsualFloatingPoint usual;
  constexpr double kElsewhere = 2;
  for (int from = 0; from < machine_.nodes; ++from) {
    for (int to = 0; to < machine_.nodes; ++to) {
      double& factor = factor_[from * machine_.nodes + to];
      factor = from == to ? 1 : kElsewhere;
      const bool is_told = from != to && places.node_distance != nullptr &&
                           found[from] < places.nodes && found[to] < places.nodes;
      if (is_told) {
        const std::uint8_t* row = places.node_distance + std::ptrdiff_t{found[from]} * places.nodes;
        const double here = std::max<double>(row[found[from]], 1);
        factor = std::max(1.0, row[found[to]] / here);
      }
    }
  }
}

bool Ownership::is_for(int set, const Coming& coming) const {
  const Set& known = sets_[set];
  return known.shape == coming.shape && known.each >= Blocks::kFewest && !known.is_left &&
         coming.generation - known.generation < kLong;
}

// In a monotonic loop, a thread runs only its own list, because a list's blocks are ascending.
ListedLoop Ownership::loop(int set, const Schedule& schedule, bool is_monotonic, Ticks take) const {
  const Set& known = sets_[set];
  const bool is_own = is_monotonic || schedule.steal == 0;
  const int least_stealable = known.has_changed ? 0 : balance::kStealableAtFirst;
  ListedLoop loop;
  loop.blocks = Blocks(known.shape.iterations, known.shape.grain, threads_, known.each);
  loop.lists = {threads_, known.first, known.block};
  loop.stealable = is_own ? 0 : std::max(schedule.steal, least_stealable);
  loop.time = known.time;
  loop.least = kRun * take;
  return loop;
}

// Divides the time of a run among its blocks, in proportion to their known times.
void Ownership::note(int set, int member, int from, int behind, Ticks time) {
  const int* const block = sets_[set].block;
  Ticks known = 0;
  bool are_known = true;
  for (int place = from; place < behind; ++place) {
    const Ticks of_block = blocks_[block[place]].time.load(kRelaxed);
    are_known = are_known && of_block > 0;
    known += of_block;
  }
  const auto blocks = static_cast<std::uint64_t>(behind - from);
  const bool is_small = known < std::uint64_t{1} << 32;
  std::int64_t off = 0;
  for (int place = from; place < behind; ++place) {
    const Ticks of_block = blocks_[block[place]].time.load(kRelaxed);
    const Ticks own =
        blocks > 1 && are_known && is_small ? portion(time, of_block, known) : time / blocks;
    off += note_block(member, block[place], std::max<Ticks>(own, 1), sets_[set].executions);
  }
  runs_[sets_[set].owner[block[from]]].off.fetch_add(off, kRelaxed);
}

std::int64_t Ownership::note_block(int member, int block, Ticks time, std::uint64_t before) {
  Block& of = blocks_[block];
  const int here = node_[member];
  if (of.home.load(kRelaxed) < 0) {
    of.home.store(here, kRelaxed);
    of.last.store(here, kRelaxed);
  }
  const int home = of.home.load(kRelaxed);
  const bool is_local = home == here;
  const Ticks known = of.time.load(kRelaxed);
  if (is_local != (home == of.last.load(kRelaxed))) {
    of.local.store(is_local ? time : known, kRelaxed);
    of.remote.store(is_local ? known : time, kRelaxed);
  }
  of.last.store(here, kRelaxed);
  const balance::Load load = balance::with_time(known, time, before);
  of.time.store(load.time, kRelaxed);
  add(runs_[member].all, 1);
  add(runs_[member].remote, is_local ? 0 : 1);
  return load.off;
}

void Ownership::prepare(int next, const Coming& coming, const Schedule& schedule,
                        const Known& known) {
  Set& set = sets_[next];
  const Set& current = sets_[1 - next];
  if (current.shape != coming.shape) {
    begin_anew(set, coming);
    set.version = current.version + 1;
    return;
  }
  continue_from(current, set, schedule, known);
  set.generation = coming.generation;
  if (schedule.every == 0 && known.samples >= kFewestSamples) {
    // A loop that was too short for owners gets owners again only if it takes twice kShort.
    set.is_left = known.region < (current.is_left ? 2 : 1) * kShort * known.take;
  }
}

// Returns the number of executions between two calls of look(). These calls take at most about 2 %
// of the time. Each call compares each block with each thread. One comparison takes 1/20 of
// `known.take`.
std::uint64_t Ownership::every(const Set& set, const Schedule& schedule, const Known& known) const {
  if (schedule.every != balance::kEveryAuto) {
    return schedule.every;
  }
  constexpr Ticks kCompared = 20;
  constexpr Ticks kWorth = 50;
  const auto compared = static_cast<Ticks>(count(set)) * static_cast<Ticks>(threads_);
  const Ticks executions =
      kWorth * compared * known.take / kCompared / std::max<Ticks>(known.region, 1);
  return balance::kUsualEvery * (1 + executions / balance::kUsualEvery);
}

void Ownership::continue_from(const Set& current, Set& set, const Schedule& schedule,
                              const Known& known) {
  if (set.version != current.version) {
    copy(current, set);
  }
  set.shape = current.shape;
  set.each = current.each;
  set.has_changed = current.has_changed;
  set.is_left = current.is_left;
  set.is_settled = current.is_settled;
  set.executions = current.executions + 1;
  for (int member = 0; member < threads_ && current.executions > 0; ++member) {
    varies_[member] = balance::with_off(varies_[member], runs_[member].off.exchange(0, kRelaxed),
                                        current.executions - 1);
  }
  if (!current.is_left && current.each >= Blocks::kFewest &&
      balance::is_look_due(current.executions, every(current, schedule, known))) {
    look(current, set, schedule);
  }
}

void Ownership::copy(const Set& current, Set& set) const {
  const int blocks = count(current);
  std::copy(current.owner, current.owner + blocks, set.owner);
  std::copy(current.block, current.block + blocks, set.block);
  std::copy(current.first, current.first + threads_ + 1, set.first);
  std::copy(current.time, current.time + blocks, set.time);
  set.version = current.version;
}

// At the call, `set` has the present owners. If better owners are found, they replace the present
// owners.
void Ownership::look(const Set& current, Set& set, const Schedule& schedule) {
  const support::UsualFloatingPoint usual;
  const int blocks = count(current);
  double all = 0;
  for (int block = 0; block < blocks; ++block) {
    set.time[block] = blocks_[block].time.load(kRelaxed);
    snapshot_[block] = blocks_[block].local.load(kRelaxed);
    snapshot_[blocks + block] = blocks_[block].remote.load(kRelaxed);
    home_[block] = blocks_[block].home.load(kRelaxed);
    all += static_cast<double>(set.time[block]);
  }
  const double alpha =
      schedule.alpha == Schedule::kAuto ? -1 : all / blocks * schedule.alpha / Schedule::kWhole;
  const balance::KnownBlocks known = {blocks, set.time, snapshot_, snapshot_ + blocks, home_};
  const balance::LookWork work = balance::look_in(work_, blocks, machine_);
  const bool is_auto = schedule.every == balance::kEveryAuto;
  const balance::Look found =
      balance::look(known, machine_, alpha, is_auto ? varies_ : nullptr, work, set.owner);
  set.is_settled = is_auto && !found.is_promising && !set.has_changed && set.executions >= kKnown;
  note_look(current, set, found);
}

bool Ownership::are_other(const Set& set) const {
  for (int block = 0; block < count(set); ++block) {
    if (set.owner[block] != block / set.each) {
      return true;
    }
  }
  return false;
}

void Ownership::note_look(const Set& current, Set& set, const balance::Look& look) {
  if (look.is_taken) {
    balance::make_lists(set.owner, count(current), threads_, set.first, set.block);
    add(migrations_, static_cast<std::uint64_t>(look.moved));
    set.has_changed = are_other(set);
  }
  if (look.is_taken || migrations_.load(kRelaxed) == 0) {
    before_.store(in_hundredths(look.before), kRelaxed);
    after_.store(in_hundredths(look.is_taken ? look.after : look.before), kRelaxed);
  }
  add(looks_, 1);
  set.version = current.version + 1;
}

Ownership::Summary Ownership::summary() const {
  Summary result;
  result.blocks = static_cast<int>(count_.load(kRelaxed));
  result.looks = looks_.load(kRelaxed);
  result.migrations = migrations_.load(kRelaxed);
  result.before = before_.load(kRelaxed);
  result.after = after_.load(kRelaxed);
  for (int member = 0; member < threads_; ++member) {
    result.runs += runs_[member].all.load(kRelaxed);
    result.remote += runs_[member].remote.load(kRelaxed);
  }
  return result;
}

// Allocates the memory of a loop's owners, all at once.
std::size_t Ownership::lay_out(void* memory, int threads, int most) {
  threads_ = threads;
  most_ = most;
  most_nodes_ = std::min(threads, kMostNodes);
  const auto members = static_cast<std::size_t>(threads);
  const auto all = members * static_cast<std::size_t>(most);
  balance::Machine machine;
  machine.slots = threads;
  machine.nodes = most_nodes_;
  support::Carver carver(memory);
  carver.take<Ownership>(1);
  queues_ = carver.take<Queue>(members);
  runs_ = carver.take<Runs>(members);
  blocks_ = carver.take<Block>(all);
  for (Set& set : sets_) {
    set.time = carver.take<Ticks>(all);
    set.owner = carver.take<int>(all);
    set.block = carver.take<int>(all);
    set.first = carver.take<int>(members + 1);
  }
  snapshot_ = carver.take<Ticks>(2 * all);
  home_ = carver.take<int>(all);
  varies_ = carver.take<Ticks>(members);
  node_ = carver.take<int>(members);
  factor_ = carver.take<double>(static_cast<std::size_t>(most_nodes_ * most_nodes_));
  work_ = carver.take<char>(balance::look_bytes(threads * most, machine));
  return carver.bytes();
}

// If several members make an object at the same time, the first object is kept.
Ownership* Ownership::find(std::atomic<Ownership*>& cell, int threads, const Coming& coming) {
  Ownership* there = cell.load(std::memory_order_acquire);
  if (there == nullptr) {
    const int most = coming.shape.wanted;
    void* memory = nullptr;
    const std::size_t bytes = Ownership().lay_out(nullptr, threads, most);
    Ownership* mine = no_ownership();
    if (posix_memalign(&memory, alignof(Queue), bytes) == 0) {
      mine = make(memory, threads, most);
      mine->begin_anew(mine->sets_[0], coming);
      mine->begin_anew(mine->sets_[1], coming);
    }
    if (cell.compare_exchange_strong(there, mine, std::memory_order_acq_rel)) {
      there = mine;
    } else {
      free(memory);
    }
  }
  return there == no_ownership() ? nullptr : there;
}

void* Ownership::memory(const std::atomic<Ownership*>& cell) {
  Ownership* const there = cell.load(std::memory_order_acquire);
  return there == no_ownership() ? nullptr : there;
}

Ownership* Ownership::make(void* memory, int threads, int most) {
  auto* made = new (memory) Ownership;
  made->lay_out(memory, threads, most);
  for (int member = 0; member < threads; ++member) {
    new (made->queues_ + member) Queue;
    new (made->runs_ + member) Runs;
  }
  for (int block = 0; block < threads * most; ++block) {
    new (made->blocks_ + block) Block;
  }
  return made;
}

}  // namespace nestbind::loops
