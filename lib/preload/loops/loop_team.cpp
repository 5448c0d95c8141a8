// SPDX-License-Identifier: BSD-3-Clause
#include "loops/loop_team.hpp"

#include <new>

#include "support/allocate.hpp"

namespace nestbind::loops {
namespace {

// How many generations (loop numbers) a thread reserves at once.
constexpr std::uint64_t kReserve = 64;

}  // namespace

// The tables after `members_` are written before they are read. So they are not initialised, and
// unused pages take no memory.
std::size_t Team::lay_out(void* memory, int threads) {
  const auto count = static_cast<std::size_t>(threads);
  support::Carver carver(memory);
  carver.take<Team>(1);
  queues_ = carver.take<Queue>(count);
  members_ = carver.take<Member>(count);
  victims_ = carver.take<Victim>(count * count);
  first_ = carver.take<std::uint16_t>(count);
  queue_of_ = carver.take<std::uint16_t>(count);
  return carver.bytes();
}

std::size_t Team::bytes(int threads) { return Team().lay_out(nullptr, threads); }

Team* Team::make(void* memory, int threads, std::uint64_t identity) {
  Team* team = new (memory) Team;
  team->lay_out(memory, threads);
  team->threads_ = threads;
  team->identity_ = identity;
  for (int number = 0; number < threads; ++number) {
    new (team->queues_ + number) Queue;
    Member* member = new (team->members_ + number) Member;
    member->team_ = team;
    member->number_ = number;
  }
  return team;
}

void Team::group_by(const Places& places, std::uint32_t version, Sharing sharing) {
  places_ = places;
  places_version_ = version;
  sharing_ = sharing;
  grouping_ = group(places, threads_, sharing, first_, queue_of_);
  ++version_;
}

// Smaller teams renew only the words of their own members.
void Team::renew_all() {
  renewed_ = base_;
  for (int queue = 0; queue < threads_; ++queue) {
    queues_[queue].renew(base_);
  }
}

void Team::set_generation(std::uint64_t generation) {
  unused_.store(generation, std::memory_order_relaxed);
  finished_.word.store(word_of(generation - 1, 0), std::memory_order_relaxed);
  for (int queue = 0; queue < threads_; ++queue) {
    queues_[queue].word.store(word_of(generation - 1, 0), std::memory_order_relaxed);
  }
}

void Team::skip_to(std::uint64_t generation, bool in_one_region) {
  renewed_ = in_one_region ? generation : renewed_;
  unused_.store(generation, std::memory_order_relaxed);
}

void Member::begin(const LoopStart& start, const Settings& settings) {
  if (is_open()) {
    leave();
  }
  threads_ = start.threads > 0 ? start.threads : team_->threads_;
  clock_ = Clock::kOff;
  site_ = nullptr;
  has_owners_ = false;
  if (settings.is_reported || !is_static_anyway(start, settings.schedule)) {
    begin_measured(start, settings);
    return;
  }
  parameters_ = {};
  cursor_.begin_static(share(start), start.iterations);
}

void Member::begin_measured(const LoopStart& start, const Settings& settings) {
  if (moment_.fork != team_->fork_) {
    enter_region();
  }
  find_parameters(start, settings);
  if (parameters_.owners != nullptr) {
    begin_lists(start, settings);
    return;
  }
  const bool is_static = is_all_static(start);
  if (is_static) {
    cursor_.begin_static(share(start), start.iterations);
  } else {
    begin_divided(start, settings.schedule.taper);
  }
  if (settings.is_reported && number_ == 0 && site_ != nullptr) {
    site_->note_division(start.grain, !is_static && !division_.is_static() &&
                                          division_.grouping().queues < threads_);
  }
}

// A member calls this once in each region, before its first loop that may be measured or have
// queues. All members come to this loop, so earlier barriers of the region do not matter. Static
// loops must not read the fork number: it is in a cache line that the forking thread has just
// written, so reading it takes long.
void Member::enter_region() {
  moment_ = {team_->fork_, 0};
  since_barrier_ = 0;
  generation_ = reserved_ = team_->base_;
}

bool Member::is_all_static(const LoopStart& start) const {
  return threads_ == 1 || start.iterations <= static_cast<std::uint64_t>(threads_) ||
         (parameters_.static_parts == kParts && parameters_.weights == nullptr);
}

void Member::find_share(const LoopStart& start) {
  share_ = {start.iterations, start.grain, threads_,
            even_share(start.iterations, start.grain, threads_, number_)};
}

void Member::begin_divided(const LoopStart& start, bool taper) {
  divide(start, taper);
  const bool is_static = division_.is_static();
  cursor_.begin(division_, team_->queues(), is_static ? nullptr : victims(division_.grouping()),
                number_, is_static ? 0 : next_generation());
}

// The loop uses its own queues, not the team's queues.
void Member::begin_lists(const LoopStart& start, const Settings& settings) {
  has_owners_ = true;
  cursor_.leave();
  listed_ = parameters_.owners->loop(parameters_.set, settings.schedule, start.is_monotonic,
                                     settings.take);
  const bool is_closed = listed_.stealable == 0;
  lists_.begin(listed_, parameters_.owners->queues(),
               is_closed ? nullptr : victims(own_queues(threads_)), number_, next_generation());
}

bool Member::next_of_lists(Range& range) {
  const Source source = lists_.next(range);
  run_source_ = source;
  return source != Source::kNothing;
}

void Member::find_parameters(const LoopStart& start, const Settings& settings) {
  const Schedule& schedule = settings.schedule;
  const bool is_wanted = settings.is_reported || !schedule.has_fraction() || schedule.chunk == 0 ||
                         schedule.weights == Weights::kMeasured;
  const std::uintptr_t address = is_wanted && settings.sites != nullptr && start.address != 0
                                     ? agreed_address(start.address)
                                     : 0;
  Site* site = address != 0 ? site_of(address, *settings.sites) : nullptr;
  if (site == nullptr) {
    parameters_ = default_parameters(schedule, start.iterations, threads_);
    return;
  }
  const bool is_measured = enter(*site, start, settings);
  clock_ = is_measured ? Clock::kBegin : Clock::kOff;
  site_ = is_measured || settings.is_reported ? site : nullptr;
}

// Returns the address that all members use for this execution. Compilers may copy a loop, for
// example into a branch of `if (omp_get_thread_num() == 0)`. Then the members of one execution have
// different addresses. Different sites divide the loop differently. So all members use the address
// of the first member. In rare cases, all members use an address from an earlier execution.
std::uintptr_t Member::agreed_address(std::uintptr_t own) {
  constexpr int kBits = 48;
  constexpr std::uint64_t kAddress = (std::uint64_t{1} << kBits) - 1;
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  if (since_barrier_ == Team::kAgreed) {
    return 0;
  }
  std::atomic<std::uint64_t>& word = team_->agreed_[since_barrier_++];
  const std::uint64_t moment = ((moment_.fork * kSpread + moment_.barriers) << 1 | 1) << kBits;
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  if ((seen & ~kAddress) != moment &&
      word.compare_exchange_strong(seen, moment | (own & kAddress), std::memory_order_relaxed)) {
    return own & kAddress;
  }
  return seen & kAddress;
}

bool Member::enter(Site& site, const LoopStart& start, const Settings& settings) {
  const Schedule& schedule = settings.schedule;
  const int wanted = Ownership::most_blocks(threads_, schedule.blocks);
  if (schedule.kind != Kind::kBalanced || wanted < Blocks::kFewest || threads_ == 1 ||
      start.iterations <= static_cast<std::uint64_t>(threads_)) {
    return site.enter(number_, moment_, schedule, start.iterations, settings.take, parameters_);
  }
  const Ownership::Coming coming = {{start.iterations, start.grain, wanted, team_->places_version_},
                                    &team_->places_,
                                    generation_};
  return site.enter(number_, moment_, schedule, start.iterations, settings.take, &coming,
                    parameters_);
}

Site* Member::site_of(std::uintptr_t address, Sites& sites) {
  Known& known = known_[(address ^ address >> 4) % kKnown];
  if (known.address != address || known.site->threads() != threads_) {
    Site* const found = sites.find(address, team_->identity_, threads_);
    if (found == nullptr) {
      return nullptr;
    }
    known = {address, found};
  }
  return known.site;
}

// Keeps the old division if the loop is the same and has no weights. (Tables of weights change in
// place.)
void Member::divide(const LoopStart& start, bool taper) {
  const Loop loop = {start.iterations,         start.grain, parameters_.chunk,
                     parameters_.static_parts, taper,       parameters_.weights};
  const std::uint32_t version = start.is_monotonic ? 0 : team_->version_;
  if (loop == division_.loop() && loop.weights == nullptr && version == divided_for_ &&
      division_.grouping().members == threads_) {
    return;
  }
  division_ = Division(loop, grouping(start.is_monotonic));
  divided_for_ = version;
}

Grouping Member::grouping(bool is_monotonic) const {
  return is_monotonic ? one_queue(threads_) : of_first(team_->grouping_, threads_);
}

// Only a loop with queues may call this function, because the function accesses queues.
std::uint64_t Member::next_generation() {
  const std::uint64_t generation = generation_++;
  if (generation >= reserved_) {
    std::uint64_t unused = team_->unused_.load(std::memory_order_relaxed);
    while (unused <= generation && !team_->unused_.compare_exchange_weak(
                                       unused, generation + kReserve, std::memory_order_relaxed)) {
    }
    reserved_ = unused > generation ? unused : generation + kReserve;
  }
  if (generation / kRenewal != renewed_) {
    renewed_ = generation / kRenewal;
    team_->queues_[number_].renew(generation);
    team_->finished_.renew(generation);
  }
  return generation;
}

const Victim* Member::victims(const Grouping& grouping) {
  if (grouping.queues == 1) {
    return nullptr;
  }
  Victim* own = team_->victims_ +
                static_cast<std::size_t>(number_) * static_cast<std::size_t>(team_->threads_);
  if (order_of_ != team_->version_ || ordered_for_ != threads_) {
    order_victims(team_->places_, grouping, number_, own);
    order_of_ = team_->version_;
    ordered_for_ = threads_;
  }
  return own;
}

void Member::end_loop() {
  if (clock_ != Clock::kOff) {
    clock_ = Clock::kEnd;
  } else {
    site_->leave(number_, tally());
  }
}

void Member::note_time(Ticks now) {
  switch (clock_) {
    case Clock::kBegin:
      times_.begin = times_.block_end = run_begin_ = now;
      clock_ = has_owners_           ? Clock::kRunEnd
               : cursor_.has_block() ? Clock::kBlockEnd
                                     : Clock::kWaits;
      break;
    case Clock::kRunEnd:
      end_run(now);
      break;
    case Clock::kBlockEnd:
      times_.block_end = now;
      clock_ = Clock::kWaits;
      break;
    case Clock::kEnd:
      times_.end = now;
      clock_ = Clock::kOff;
      site_->leave(number_, times_, tally());
      break;
    case Clock::kOff:
    case Clock::kWaits:
      break;
  }
}

void Member::end_run(Ticks now) {
  parameters_.owners->note(parameters_.set, number_, lists_.from(), lists_.behind(),
                           now - run_begin_);
  run_begin_ = now;
  if (run_source_ == Source::kBlock) {
    times_.block_end = now;
  }
}

void Member::leave() {
  cursor_.leave();
  lists_.leave();
  clock_ = Clock::kOff;
  if (site_ != nullptr) {
    site_->leave(number_, tally());
  }
}

}  // namespace nestbind::loops
