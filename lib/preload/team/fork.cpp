// SPDX-License-Identifier: BSD-3-Clause
#include "team/fork.hpp"

#include "team/consumer.hpp"
#include "team/tree.hpp"

namespace nestbind::team {

namespace {

[[gnu::noinline]] Team* find_or_lend(Member& from, const omp::Calls& runtime, int asked) {
  if (Team* team = find_team(from, asked)) {
    return team;
  }
  Team* lent = lend(from);
  if (lent != nullptr) {
    lent->runtime = &runtime;
    lent->parent = from.hands_on;
    lent->granted.store(nullptr, std::memory_order_relaxed);
    lent->first_word = nullptr;  // nothing stays from the team that had this memory before
    lent->planned = nullptr;
    lent->again = nullptr;
    lent->pool = nullptr;
    lent->sized = 0;
    lent->puts_back = false;
    lent->ruled = {};
  }
  return lent;
}

[[gnu::noinline]] Member& find_member(Team& told, int number, int size) {
  Team* const team = resolve(told, size);
  return team == nullptr ? g_nowhere : team->members[number];
}

[[gnu::noinline]] void close_others(Team& told) {
  if (Team* granted = told.granted.load(std::memory_order_relaxed)) {
    granted->is_open = false;
  }
  if (told.members == nullptr) {
    give_back_lent(told);
  }
}

// Returns the league around the calling thread, at any depth, or null if there is none.
Team* league_around(const omp::Calls& runtime) {
  const Member* member = t_here.member;
  while (member != nullptr && member->team != nullptr) {
    if (member->team->kind == Team::Kind::kLeague && is_same(*member->team->runtime, runtime)) {
      return member->team;
    }
    member = member->team->from;
  }
  return nullptr;
}

bool is_in_team_of(const Member* member, const omp::Calls& runtime) {
  return member != nullptr && member->team != nullptr && is_same(*member->team->runtime, runtime);
}

}  // namespace

Team* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (auto* const fork = Column<&Consumer::fork>::called.load(std::memory_order_acquire)) {
    asked = fork(runtime, code, asked);
  }
  Member& from = here();
  const int size = asked > 0 ? static_cast<int>(asked) : runtime.get_max_threads();
  Team* team = from.teams;
  const bool is_known = team != nullptr && team->asked == size && team->kind == Team::Kind::kTeam;
  if (!is_known) {
    team = find_or_lend(from, runtime, size);
    if (team == nullptr) {
      return nullptr;
    }
  }
  if (is_known || &from != &g_nowhere) {
    from.forked = team;
    team->is_forking = true;
  }
  write_if_other(team->runtime, &runtime);
  if (team->granted.load(std::memory_order_relaxed) != nullptr) {
    team->granted.store(nullptr, std::memory_order_relaxed);
  }
  write_if_other(team->ready, team->size);
  tell<&Consumer::expect>(*team);
  return team;
}

void member_begin(Team* team, int number, int size) {
  Member& member = team->ready == size ? team->members[number] : find_member(*team, number, size);
  if (number == 0) {
    team->is_forking = false;
    if (member.team != nullptr) {
      member.team->is_open = true;
    }
  }
  if (member.told != team && &member != &g_nowhere) {
    member.told = team;
  }
  tell<&Consumer::begin>(member, *team);
  t_here.member = &member;
  t_here.told = team->runtime;
}

void member_end(Team* team, int number) {
  Member* const member = t_here.member;
  if (number != 0) {
    const bool is_its = member != nullptr && member->told == team && member->number == number;
    if (is_its || member == &g_nowhere) {
      tell<&Consumer::end>(*member, nullptr);
      t_here.member = nullptr;
    }
    return;
  }
  Member* const from = team->from;
  t_here.member = from;
  team->is_forking = false;
  team->is_open = false;
  if (member != nullptr) {
    tell<&Consumer::end>(*member, team);
  }
  if (team->members == nullptr || team->granted.load(std::memory_order_relaxed) != nullptr) {
    close_others(*team);
  }
}

void end_untold(const omp::Calls& runtime) {
  int level = 0;
  for (const Member* at = t_here.member; at != nullptr && at->team != nullptr;
       at = at->team->from) {
    level += is_in_team_of(at, runtime) ? 1 : 0;
  }
  for (const int real = runtime.get_level(); level > real; --level) {
    const Member* const at = t_here.member;
    if (at->number != 0 || at->told == nullptr || !is_in_team_of(at, runtime)) {
      return;
    }
    member_end(at->told, 0);
  }
}

Team* team_by_path(const omp::Calls& runtime) {
  Team* const own = t_here.member == nullptr ? nullptr : t_here.member->forked;
  if (runtime.get_thread_num() == 0 && own != nullptr && own->is_forking) {
    return own;  // the calling thread is the encountering thread
  }
  const int level = runtime.get_level();
  Member* member = g_path_root.load(std::memory_order_acquire);
  for (int above = 1; above < level && member != nullptr; ++above) {
    Team* team = member->forked;
    Team* granted = team == nullptr ? nullptr : team->granted.load(std::memory_order_acquire);
    team = granted != nullptr ? granted : team;
    const int number = runtime.get_ancestor_thread_num(above);
    const bool is_known = team != nullptr && team->members != nullptr && number < team->size;
    member = is_known ? &team->members[number] : nullptr;
  }
  return member == nullptr ? nullptr : member->forked;
}

void member_of_unknown(const omp::Calls& runtime) {
  const Member* const member = t_here.member;
  if (league_around(runtime) == nullptr &&
      (member == nullptr || member->team == nullptr || is_in_team_of(member, runtime))) {
    t_here.member = nullptr;
  }
}

bool told_by_other(const omp::Calls& runtime) {
  return t_here.told != nullptr && t_here.told != &runtime;
}

void league_begin(const omp::Calls& runtime) { tell<&Consumer::league>(runtime); }

void initial_task_begin(const omp::Calls& runtime, int number) {
  Team* const around = number == 0 ? league_around(runtime) : nullptr;
  if (around != nullptr) {
    ++around->tasks;
    return;
  }
  Member* const member = t_here.member;
  if (number != 0 || !is_in_team_of(member, runtime)) {
    member_of_unknown(runtime);
    return;
  }
  if (Member* const inside = beside(*member, Team::Kind::kLeague)) {
    Team& league = *inside->team;
    league.runtime = &runtime;
    league.tasks = 1;
    tell<&Consumer::open>(league);
    t_here.member = inside;
  }
}

void initial_task_end(const omp::Calls& runtime, int number) {
  Team* const around = number == 0 ? league_around(runtime) : nullptr;
  if (around == nullptr) {
    member_of_unknown(runtime);
  } else if (--around->tasks == 0) {
    t_here.member = around->from;
  }
}

void thread_ends() {
  t_here.member = nullptr;
  t_here.is_ending = true;
}

}  // namespace nestbind::team
