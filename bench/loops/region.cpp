// SPDX-License-Identifier: BSD-3-Clause
#include "region.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace nestbind::simulation {
namespace {

struct Event {
  double time;
  int thread;
  bool operator>(const Event& other) const {
    return time > other.time || (time == other.time && thread > other.thread);
  }
};
using Events = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

Events all_begin(int threads) {
  Events events;
  for (int thread = 0; thread < threads; ++thread) {
    events.push({0, thread});
  }
  return events;
}

}  // namespace

HybridTeam::HybridTeam(const Program& program, const Costs& costs, const loops::Schedule& schedule)
    : program_(program), costs_(costs), places_(places(program)) {
  settings_.schedule = schedule;
  settings_.sites = &sites_;
  settings_.take = static_cast<loops::Ticks>(costs.other_take);
  const std::size_t bytes = (loops::Team::bytes(program.threads) + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, bytes);
  std::memset(memory, 0, bytes);
  team_ = loops::Team::make(memory, program.threads, 1);
  busy_until_.resize(static_cast<std::size_t>(program.threads));
  slowness_.assign(busy_until_.size(), 1.0);
}

HybridTeam::~HybridTeam() {
  sites_.each([](const loops::Site& site) {
    std::free(site.more_memory());
    std::free(const_cast<loops::Site*>(&site));
  });
  std::free(team_);
}

std::uint64_t HybridTeam::moved() {
  std::uint64_t moved = 0;
  sites_.each([&](const loops::Site& site) { moved += site.summary().owners.migrations; });
  return moved;
}

const loops::Parameters& HybridTeam::parameters() const { return team_->member(0).parameters(); }

double HybridTeam::take(int thread, const loops::Range& range, loops::Source source, double now) {
  if (source == loops::Source::kBlock) {
    return now;
  }
  const bool is_shared = settings_.schedule.sharing == loops::Sharing::kAll;
  const int owner = is_shared ? 0 : home_of(program_, range.begin);
  double& busy_until = busy_until_[static_cast<std::size_t>(owner)];
  const double cost = owner == thread && !is_shared ? costs_.own_take : costs_.other_take;
  busy_until = std::max(busy_until, now) + cost;
  return busy_until;
}

Region HybridTeam::run(Disturbances& disturbances) {
  disturbances.rewind();
  std::fill(busy_until_.begin(), busy_until_.end(), 0.0);
  team_->open({places_.data(), nullptr, 0}, 1, settings_.schedule.sharing);
  loops::LoopStart start;
  start.iterations = program_.iterations();
  start.address = 1;
  for (int thread = 0; thread < program_.threads; ++thread) {
    team_->member(thread).begin(start, settings_);
  }
  Region outcome;
  for (Events events = all_begin(program_.threads); !events.empty();) {
    const Event event = events.top();
    events.pop();
    loops::Member& member = team_->member(event.thread);
    const auto now = static_cast<loops::Ticks>(start_ + event.time);
    if (member.wants_time()) {
      member.note_time(now);
    }
    loops::Range range;
    const std::uint64_t of_block = member.tally().of_block;
    if (member.next(range)) {
      const bool is_block = member.tally().of_block > of_block;
      const loops::Source source = is_block ? loops::Source::kBlock : loops::Source::kOwnQueue;
      outcome.remote += remote_of(program_, range, event.thread);
      const double begin = take(event.thread, range, source, event.time);
      const double work = work_of(program_, costs_, range, event.thread) *
                          slowness_[static_cast<std::size_t>(event.thread)];
      events.push({disturbances.end_of(event.thread, begin, work), event.thread});
      continue;
    }
    if (member.wants_time()) {
      member.note_time(now);
    }
    outcome.time = std::max(outcome.time, event.time);
    outcome.tally.add(member.tally());
  }
  start_ += outcome.time;
  return outcome;
}

Region run_dynamic(const Program& program, const Costs& costs, std::uint64_t chunk, bool is_guided,
                   Disturbances& disturbances) {
  disturbances.rewind();
  Region outcome;
  const std::uint64_t all = program.iterations();
  std::uint64_t taken = 0;
  double busy_until = 0;
  for (Events events = all_begin(program.threads); !events.empty();) {
    const Event event = events.top();
    events.pop();
    if (taken == all) {
      outcome.time = std::max(outcome.time, event.time);
      continue;
    }
    const std::uint64_t part = (all - taken) / static_cast<std::uint64_t>(program.threads);
    const std::uint64_t wanted = is_guided ? std::max(part, chunk) : chunk;
    const loops::Range range = {taken, std::min(taken + wanted, all)};
    taken = range.end;
    busy_until = std::max(busy_until, event.time) + costs.other_take;
    const double work = work_of(program, costs, range, event.thread);
    events.push({disturbances.end_of(event.thread, busy_until, work), event.thread});
  }
  return outcome;
}

}  // namespace nestbind::simulation
