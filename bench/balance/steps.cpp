// SPDX-License-Identifier: BSD-3-Clause
#include "steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

#include "balance/hindsight.hpp"
#include "loops/list_cursor.hpp"
#include "loops/steal_order.hpp"

namespace nestbind::simulation {

namespace {

using Random = std::mt19937_64;
using Numbers = std::vector<double>;

constexpr double kRemote = 1.5;
constexpr double kNoise = 0.05;
constexpr double kHeavy = 4;
constexpr double kHits = 0.02;  // of disturbed blocks
constexpr double kHit = 20;
constexpr double kTicks = 10000;  // in a block's 1
constexpr double kFactor = 2;     // between nodes

double unit(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

int node_of(int thread) { return thread * kNodes / kThreads; }

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Numbers patches(Random& random) {
  constexpr int kShortest = 8;
  constexpr int kMore = 5;
  Numbers load(kBlocks, 1);
  for (int left = kBlocks / 5; left > 0;) {
    const int length = std::min(left, kShortest + static_cast<int>(random() % kMore));
    const int begin = static_cast<int>(random() % static_cast<unsigned>(kBlocks - length));
    for (int block = begin; block < begin + length; ++block) {
      left -= load[at(block)] < kHeavy ? 1 : 0;
      load[at(block)] = kHeavy;
    }
  }
  return load;
}

Numbers loads_of(Shape shape, Random& random) {
  if (shape == Shape::kPatches) {
    return patches(random);
  }
  Numbers load(kBlocks, 1);
  for (int block = 0; block < kBlocks; ++block) {
    if (shape == Shape::kRamp) {
      load[at(block)] = 0.5 + (block + 0.5) / kBlocks;
    } else if (shape == Shape::kHot && block < kBlocks / kThreads) {
      load[at(block)] = kHeavy;
    }
  }
  return load;
}

// Whether it is the first half of the blocks that is heavy in a step, counted from 1.
bool is_first_heavy(Shape shape, int step, Random& random) {
  constexpr int kThree = 3;
  constexpr int kFour = 4;
  switch (shape) {
    case Shape::kByThree:
      return step % kThree != 0;
    case Shape::kByFour:
      return step % kFour < 2;
    case Shape::kByChance:
      return random() % 2 == 0;
    default:
      return step % 2 == 1;
  }
}

bool alternates(Shape shape) {
  return shape == Shape::kAlternating || shape == Shape::kByThree || shape == Shape::kByFour ||
         shape == Shape::kByChance || shape == Shape::kAlternatingDisturbed;
}

// What is known of all blocks, and who owns them, from step to step.
class Owners {
 public:
  Owners()
      : threads_(machine(kNodes, kThreads / kNodes, kFactor)),
        memory_(balance::look_bytes(kBlocks, threads_.view()) / sizeof(double) + 1) {
    for (int block = 0; block < kBlocks; ++block) {
      owner_.push_back(block * kThreads / kBlocks);
    }
    before_ = at_first_ = owner_;
    last_.fill(time_);
  }

  void note(int block, int thread, double time) {
    int& home = home_[at(block)];
    home = home < 0 ? node_of(thread) : home;
    balance::Ticks& known = home == node_of(thread) ? near_[at(block)] : far_[at(block)];
    const auto ticks = static_cast<balance::Ticks>(time * kTicks);
    known = balance::with_time(known, ticks);
    time_[at(block)] = balance::with_time(time_[at(block)], ticks);
    last_[at(steps_ % balance::kRemembered)][at(block)] = ticks;
  }

  void end_step() { ++steps_; }

  // How many have moved.
  int look() {
    const balance::KnownBlocks known{kBlocks, time_.data(), near_.data(), far_.data(),
                                     home_.data()};
    const balance::Machine on = threads_.view();
    const int count = std::min(steps_, balance::kRemembered);
    std::vector<balance::Ticks> last;
    for (int back = 1; back <= count; ++back) {
      const auto& of = last_[at((steps_ - back) % balance::kRemembered)];
      last.insert(last.end(), of.begin(), of.end());
    }
    const balance::LookBack found = balance::look_back(
        known, {count, std::min(count, steps_ - since_), last.data()}, on, -1,
        balance::look_in(memory_.data(), kBlocks, on), restraint_, before_.data(), owner_.data());
    if (!found.look.is_taken) {
      return 0;
    }
    since_ = steps_;
    return found.look.moved;
  }

  const std::vector<int>& owner() const { return owner_; }
  bool has_changed() const { return owner_ != at_first_; }

 private:
  Machine threads_;
  std::vector<balance::Ticks> time_ = std::vector<balance::Ticks>(kBlocks, 0);
  std::vector<balance::Ticks> near_ = time_;
  std::vector<balance::Ticks> far_ = time_;
  std::array<std::vector<balance::Ticks>, balance::kRemembered> last_;
  std::vector<int> home_ = std::vector<int>(kBlocks, -1);
  std::vector<int> owner_;
  std::vector<int> at_first_;
  std::vector<int> before_;
  balance::Restraint restraint_;
  int steps_ = 0;
  int since_ = 0;  // the step behind which owners have changed
  Numbers memory_;
};

// The team: who steals from whom, and its queues, from step to step.
class Team {
 public:
  Team() {
    for (int thread = 0; thread < kThreads; ++thread) {
      places_[at(thread)].node = static_cast<std::uint16_t>(node_of(thread));
    }
    for (int thread = 0; thread < kThreads; ++thread) {
      loops::order_victims({places_.data(), nullptr, 0}, loops::own_queues(kThreads), thread,
                           victims_[at(thread)].data());
    }
  }

  void begin(loops::ListCursor& cursor, const loops::ListedLoop& loop, int thread, int step) {
    cursor.begin(loop, queues_.data(), victims_[at(thread)].data(), thread,
                 static_cast<std::uint64_t>(step));  // there is a barrier behind each
  }

 private:
  std::array<loops::Place, kThreads> places_;
  std::array<std::array<loops::Victim, kThreads - 1>, kThreads> victims_;
  std::array<loops::Queue, kThreads> queues_;
};

// One step: threads come for their next blocks in the order of their times.
class Step {
 public:
  Step(const std::vector<int>& owner, const Numbers& load, int stealable, Owners& owners)
      : load_(load), owners_(owners) {
    loop_.blocks = loops::Blocks(kBlocks, 1, kThreads, kBlocks / kThreads);
    loop_.lists =
        balance::make_lists(owner.data(), kBlocks, kThreads, first_.data(), block_.data());
    loop_.stealable = stealable;
  }

  void run(Team& team, int number) {
    std::array<loops::ListCursor, kThreads> cursors;
    for (int thread = 0; thread < kThreads; ++thread) {
      team.begin(cursors[at(thread)], loop_, thread, number);
    }
    for (int thread = earliest(cursors); thread >= 0; thread = earliest(cursors)) {
      loops::ListCursor& cursor = cursors[at(thread)];
      loops::Range range;
      if (cursor.next(range) != loops::Source::kNothing) {
        is_good_ = is_good_ && !has_run_last_[at(thread)];
        has_run_last_[at(thread)] = cursor.has_last();
        for (std::uint64_t block = range.begin; block < range.end; ++block) {
          run_block(thread, static_cast<int>(block));  // of one iteration
        }
      }
    }
  }

  double time() const { return *std::max_element(now_.begin(), now_.end()); }
  int remote() const { return remote_; }
  bool is_good() const {
    return is_good_ && std::ranges::all_of(runs_, [](int runs) { return runs == 1; });
  }

 private:
  // Of those that are not done.
  int earliest(const std::array<loops::ListCursor, kThreads>& cursors) const {
    int found = -1;
    for (int thread = 0; thread < kThreads; ++thread) {
      const bool is_earlier = found < 0 || now_[at(thread)] < now_[at(found)];
      found = cursors[at(thread)].is_open() && is_earlier ? thread : found;
    }
    return found;
  }

  void run_block(int thread, int block) {
    const bool is_remote = node_of(block * kThreads / kBlocks) != node_of(thread);
    const double time = load_[at(block)] * (is_remote ? kRemote : 1);
    now_[at(thread)] += time;
    remote_ += is_remote ? 1 : 0;
    ++runs_[at(block)];
    owners_.note(block, thread, time);
  }

  const Numbers& load_;
  Owners& owners_;
  std::vector<int> first_ = std::vector<int>(kThreads + 1);
  std::vector<int> block_ = std::vector<int>(kBlocks);
  loops::ListedLoop loop_;
  std::vector<int> runs_ = std::vector<int>(kBlocks, 0);
  Numbers now_ = Numbers(kThreads, 0);
  std::vector<bool> has_run_last_ = std::vector<bool>(kThreads, false);
  int remote_ = 0;
  bool is_good_ = true;
};

}  // namespace

Outcome simulate_steps(Shape shape, Way way, int stealable, int steps, std::uint64_t seed) {
  Random random(seed);
  const Numbers usual = loads_of(shape, random);
  Owners owners;
  Team team;
  Outcome outcome;
  double time = 0;
  double ideal = 0;
  for (int number = 1; number <= steps; ++number) {
    Numbers load = usual;
    const bool is_first = is_first_heavy(shape, number, random);
    for (int block = 0; block < kBlocks; ++block) {
      const bool is_heavy = (block < kBlocks / 2) == is_first;
      const double factor = !alternates(shape) ? 1 : is_heavy ? 2 : 0.5;
      load[at(block)] *= factor * (1 - kNoise + 2 * kNoise * unit(random));
      const bool is_disturbed = shape == Shape::kDisturbed || shape == Shape::kAlternatingDisturbed;
      if (is_disturbed && unit(random) < kHits) {
        load[at(block)] *= kHit;
      }
      ideal += load[at(block)] / kThreads;
    }
    const bool is_at_first = way == Way::kBalanced && !owners.has_changed() && stealable > 0;
    Step step(owners.owner(), load, is_at_first ? balance::kStealableAtFirst : stealable, owners);
    step.run(team, number);
    owners.end_step();
    time += step.time();
    outcome.remote += 100.0 * step.remote() / kBlocks / steps;
    outcome.is_good = outcome.is_good && step.is_good();
    if (way == Way::kBalanced &&
        balance::is_look_due(static_cast<std::uint64_t>(number), balance::kEveryAuto)) {
      const int moved = owners.look();
      outcome.moved += moved;
      outcome.last_change = moved > 0 ? number : outcome.last_change;
    }
  }
  outcome.time = time / ideal;
  return outcome;
}

}  // namespace nestbind::simulation
