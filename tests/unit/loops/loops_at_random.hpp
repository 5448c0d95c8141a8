// SPDX-License-Identifier: BSD-3-Clause
// Runs the members of teams in a random order, so some are in later loops than others. All members
// run on one thread, so a run can be repeated.
#pragma once

#include <functional>

#include "helpers.hpp"

namespace nestbind::loops::test {

struct Seen {
  LoopStart start;
  std::vector<Range> pieces;  // in the order in which they were taken
  std::vector<int> member_of;
  std::uint64_t blocks = 0;  // iterations by source, over all members
  std::uint64_t own = 0;
  std::uint64_t stolen = 0;
};

// Every member runs each of the loops, without barriers between them.
inline void run_region(Team& team, const Settings& settings, std::vector<Seen>& loops,
                       Random& random, const std::function<bool(int)>& may_go = nullptr) {
  const int granted = loops.front().start.threads;
  const int threads = granted > 0 ? granted : team.threads();
  std::vector<std::size_t> at(static_cast<std::size_t>(threads), 0);
  std::vector<bool> is_inside(static_cast<std::size_t>(threads), false);
  Ticks now = 1000;
  for (int done = 0; done < threads;) {
    const int number = static_cast<int>(below(random, static_cast<std::uint64_t>(threads)));
    const auto index = static_cast<std::size_t>(number);
    if (at[index] == loops.size() || (may_go != nullptr && !may_go(number))) {
      continue;
    }
    Member& member = team.member(number);
    Seen& loop = loops[at[index]];
    now += below(random, 100);
    for (std::uint64_t steps = 1 + below(random, 6); steps > 0; --steps) {
      if (!is_inside[index]) {
        member.begin(loop.start, settings);
        is_inside[index] = true;
      }
      if (member.wants_time()) {
        member.note_time(now);
      }
      Range range;
      if (member.next(range)) {
        loop.pieces.push_back(range);
        loop.member_of.push_back(number);
        continue;
      }
      if (member.wants_time()) {
        member.note_time(now);
      }
      loop.blocks += member.tally().of_block;
      loop.own += member.tally().of_own_queue;
      loop.stolen += member.tally().total() - member.tally().of_block - member.tally().of_own_queue;
      is_inside[index] = false;
      ++at[index];
      done += at[index] == loops.size() ? 1 : 0;
      break;
    }
  }
}

// In a monotonic loop, each piece of a member must begin after the member's previous pieces. After
// the loop's last iteration, a member must get no more pieces.
inline bool is_right(const Seen& loop) {
  if (!covers(loop.pieces, loop.start.iterations) ||
      loop.blocks + loop.own + loop.stolen != loop.start.iterations) {
    return false;
  }
  for (std::size_t i = 0; i < loop.pieces.size(); ++i) {
    for (std::size_t later = i + 1; later < loop.pieces.size(); ++later) {
      const bool is_same = loop.member_of[i] == loop.member_of[later];
      if (is_same && loop.pieces[i].end == loop.start.iterations) {
        return false;
      }
      if (is_same && loop.start.is_monotonic && loop.pieces[later].begin < loop.pieces[i].end) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace nestbind::loops::test
