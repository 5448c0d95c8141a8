// SPDX-License-Identifier: BSD-3-Clause
// Who wants to know of forks: a row of functions. Any may be null.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "team/team.hpp"

namespace nestbind::team {

struct Consumer {
  // On the encountering thread, before the team is known. asked: how many threads the runtime is
  // about to decide on; 0: not known.
  void (*fork)(const omp::Calls& runtime, const void* code, unsigned asked) = nullptr;
  // In place of it, where nobody has that one: returns how many threads are to be asked for.
  unsigned (*sized_fork)(const omp::Calls& runtime, const void* code, unsigned asked) = nullptr;
  // On the encountering thread, before the fork, with the team that is asked for. Where its size is
  // known (Team::ready), it begins, too, as by `open`.
  void (*expect)(Team& team) = nullptr;
  // A team of known size begins, other than by `expect`: where another size was granted than the
  // last time, on the member that comes first, while the others wait.
  void (*open)(Team& team) = nullptr;
  // On each member. `team` is what was told: its parent holds. The member is g_nowhere without
  // memory.
  void (*begin)(Member& member, const Team& team) = nullptr;
  // On a member that ends. joined: what was told, where it is the encountering thread, which is
  // back where it forked; null: of the others.
  void (*end)(Member& member, Team* joined) = nullptr;
  // On a thread that encounters a league of teams.
  void (*league)(const omp::Calls& runtime) = nullptr;
  // A root thread ends; another may take its tree.
  void (*root_ends)(Member& root) = nullptr;
  // Nobody is in the team; its memory becomes another's.
  void (*forget)(Team& team) = nullptr;
};

// A consumer stays, once. There are two at most.
void follow(const Consumer& consumer);

// Another row takes the place of one that follows, or has been replaced so already. Their nulls are
// the same.
void replace(const Consumer& before, const Consumer& now);

// Who is told of an event: its column of the rows, without the nulls. What is called is the only
// one, or calls both; null: nobody is told.
template <auto kEvent>
struct Column {
  using Function = std::remove_cvref_t<decltype(Consumer{}.*kEvent)>;
  static inline constinit std::atomic<Function> first{nullptr};
  static inline constinit std::atomic<Function> second{nullptr};
  static inline constinit std::atomic<Function> called{nullptr};
};

// All have looked whether they want to know: if none does, forks are not followed (fork.hpp).
void all_have_looked();

template <auto kEvent, typename... Arguments>
[[gnu::always_inline]] inline void tell(Arguments&&... arguments) {
  if (auto* const function = Column<kEvent>::called.load(std::memory_order_acquire)) {
    function(arguments...);
  }
}

// Whether a team of two or more threads has begun in this process, or in one that forked it.
void note_team();
bool had_teams();

// The root from which members are found by path.
extern std::atomic<Member*> g_path_root;

// What consumers keep of teams counts, too.
void count_memory(std::ptrdiff_t bytes);

}  // namespace nestbind::team
