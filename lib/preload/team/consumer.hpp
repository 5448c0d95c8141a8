// SPDX-License-Identifier: BSD-3-Clause
// Forks are reported to consumers. A consumer is a row of functions; any may be null.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "team/team.hpp"

namespace nestbind::team {

struct Consumer {
  // On the encountering thread, before the team is known. asked: the number of threads that the
  // runtime is about to decide on; 0: not known.
  void (*fork)(const omp::Calls& runtime, const void* code, unsigned asked) = nullptr;
  // Called if no consumer has `fork`: returns the number of threads to ask for.
  unsigned (*sized_fork)(const omp::Calls& runtime, const void* code, unsigned asked) = nullptr;
  // On the encountering thread, before the fork, with the team that is asked for. If the team's
  // size is known (Team::ready), the team begins, as by `open`.
  void (*expect)(Team& team) = nullptr;
  // A team of known size begins, and `expect` has not begun it: the granted size differs from the
  // last one. Runs on the first member that arrives, while the others wait.
  void (*open)(Team& team) = nullptr;
  // On each member. `team` is from fork_begin, and its `parent` is valid. `member` is g_nowhere if
  // there is no memory.
  void (*begin)(Member& member, const Team& team) = nullptr;
  // On a member that ends. joined: on the encountering thread its team; null on others.
  void (*end)(Member& member, Team* joined) = nullptr;
  // On a thread that encounters a league of teams.
  void (*league)(const omp::Calls& runtime) = nullptr;
  // A root thread ends; another thread may take its tree.
  void (*root_ends)(Member& root) = nullptr;
  // No thread is in the team any more; its memory will become another team's.
  void (*forget)(Team& team) = nullptr;
};

// Adds a consumer, which must never be freed. There are two at most.
void follow(const Consumer& consumer);

// Replaces the row `before` by `now`, with the same nulls. Another call may have done so already.
void replace(const Consumer& before, const Consumer& now);

// The consumers' functions for one event, without nulls. `called` is the only function, or one that
// calls both; null: no consumer wants the event.
template <auto kEvent>
struct Column {
  using Function = std::remove_cvref_t<decltype(Consumer{}.*kEvent)>;
  static inline constinit std::atomic<Function> first{nullptr};
  static inline constinit std::atomic<Function> second{nullptr};
  static inline constinit std::atomic<Function> called{nullptr};
};

// To be called after consumers could call follow(): if none did, forks are not followed (fork.hpp).
void all_have_looked();

template <auto kEvent, typename... Arguments>
[[gnu::always_inline]] inline void tell(Arguments&&... arguments) {
  if (auto* const function = Column<kEvent>::called.load(std::memory_order_acquire)) {
    function(arguments...);
  }
}

// note_team: a team of two or more threads begins. had_teams: this process or its parents had one.
void note_team();
bool had_teams();

// The root from which members are found by path.
extern std::atomic<Member*> g_path_root;

// Adds memory that consumers keep for teams to the count.
void count_memory(std::ptrdiff_t bytes);

}  // namespace nestbind::team
