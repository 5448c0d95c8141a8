// SPDX-License-Identifier: BSD-3-Clause
// Forks are reported to consumers. A consumer is a struct of functions, which may be null.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "team/team.hpp"

namespace nestbind::team {

struct Consumer {
  // Runs on the encountering thread, before the team is known. `asked` is the number of threads
  // that the runtime is asked for, or 0 if not known. Returns the number to ask for.
  unsigned (*fork)(const omp::Calls& runtime, const void* code, unsigned asked) = nullptr;
  // Runs on the encountering thread, before the fork. If the team's size is known (Team::ready),
  // the team begins here, as in `open`.
  void (*expect)(Team& team) = nullptr;
  // Runs if the team's real size differs from Team::ready. The first member that arrives runs
  // `open`, and the other members wait.
  void (*open)(Team& team) = nullptr;
  // `team` is from fork_begin, and its `parent` is valid. `member` is g_nowhere if there is no
  // memory.
  void (*begin)(Member& member, const Team& team) = nullptr;
  // `joined` is the ended team on the encountering thread, otherwise null.
  void (*end)(Member& member, Team* joined) = nullptr;
  void (*league)(const omp::Calls& runtime) = nullptr;
  // Afterwards another thread may get the tree of this root.
  void (*root_ends)(Member& root) = nullptr;
  // Runs when no thread is in the team any more. Another team will get the memory of this team.
  void (*forget)(Team& team) = nullptr;
};

// Adds a consumer, which must never be freed. There are at most two consumers, and only one of them
// has `fork`.
void follow(const Consumer& consumer);

// If there are two functions, `called` calls both.
template <auto kEvent>
struct Column {
  using Function = std::remove_cvref_t<decltype(Consumer{}.*kEvent)>;
  static inline constinit std::atomic<Function> first{nullptr};
  static inline constinit std::atomic<Function> second{nullptr};
  static inline constinit std::atomic<Function> called{nullptr};
};

// Must be called after the last constructor that may call follow(). If no consumer has called
// follow(), forks are not followed (fork.hpp).
void all_have_looked();

template <auto kEvent, typename... Arguments>
[[gnu::always_inline]] inline void tell(Arguments&&... arguments) {
  if (auto* const function = Column<kEvent>::called.load(std::memory_order_acquire)) {
    function(arguments...);
  }
}

// had_teams() is true if this process has called note_team(). A child of fork() inherits this
// answer.
void note_team();
bool had_teams();

// The root from which team_by_path() finds members.
extern std::atomic<Member*> g_path_root;

// Adds `bytes` to the memory that kMostMemory limits.
void count_memory(std::ptrdiff_t bytes);

}  // namespace nestbind::team
