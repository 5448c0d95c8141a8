// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/kept.hpp"

#include <pthread.h>
#include <stdlib.h>

#include <atomic>
#include <new>

#include "process/once.hpp"
#include "support/allocate.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::sharing {

constinit Team g_nowhere_team{.from = &g_nowhere};
constinit Member g_nowhere{};

namespace {

// The tree of a thread that forks outside of regions. None is taken out of their list.
struct Root {
  Member member;
  std::atomic<bool> is_used{true};
  Root* next = nullptr;
};
constinit std::atomic<Root*> g_roots{nullptr};

// For teams: no two alike, and none is 0.
constinit std::atomic<std::uint64_t> g_identity{0};

// Zeroed memory, aligned to a line of the cache; of a large piece the system gives only what is
// written to. Both null without memory.
struct Lines {
  void* first;
  void* memory;  // to be freed
};
Lines new_lines(std::size_t bytes) {
  constexpr std::uintptr_t kLine = 64;
  void* const memory = calloc(1, bytes + kLine);
  if (memory == nullptr) {
    return {};
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return {static_cast<char*>(memory) + (kLine - address % kLine) % kLine, memory};
}

// The thread ends. Destructors of others may fork behind this, and then it has a root once more.
void give_back(void* memory) {
  t_member = nullptr;
  static_cast<Root*>(memory)->is_used.store(false, std::memory_order_release);
}

// By which each thread has its tree, and which gives it back when the thread ends. Null where the
// program has used up all keys.
const pthread_key_t* key_of_trees() {
  static pthread_key_t key;
  static constinit bool has_key = false;
  static constinit process::Once once;
  once.run([] { has_key = pthread_key_create(&key, give_back) == 0; });
  return has_key ? &key : nullptr;
}

Root* unused_root() {
  for (Root* root = g_roots.load(std::memory_order_acquire); root != nullptr; root = root->next) {
    if (!root->is_used.load(std::memory_order_relaxed) &&
        !root->is_used.exchange(true, std::memory_order_acquire)) {
      return root;
    }
  }
  return nullptr;
}

Root* new_root() {
  void* memory = new_lines(sizeof(Root)).first;
  if (memory == nullptr) {
    return nullptr;
  }
  Root* root = new (memory) Root;
  root->next = g_roots.load(std::memory_order_relaxed);
  while (!g_roots.compare_exchange_weak(root->next, root, std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  return root;
}

// A team whose loops are the runtime's.
Team* without_loops(Member& from) {
  Team* team = support::allocate<Team>();
  if (team != nullptr) {
    team->from = &from;
  }
  return team;
}

Team* with_loops(Member& from, int size) {
  const auto count = static_cast<std::size_t>(size);
  Team* team = without_loops(from);
  const Lines members = new_lines(count * sizeof(Member));
  const Lines shared = new_lines(loops::Team::bytes(size));
  loops::Place* seats = support::allocate<loops::Place>(count);
  if (team == nullptr || members.first == nullptr || shared.first == nullptr || seats == nullptr) {
    free(team);
    free(members.memory);
    free(shared.memory);
    free(seats);
    return nullptr;
  }
  const std::uint64_t identity = g_identity.fetch_add(1, std::memory_order_relaxed) + 1;
  team->size = size;
  team->shared = loops::Team::make(shared.first, size, identity);
  team->members = static_cast<Member*>(members.first);
  team->seats = seats;
  for (int number = 0; number < size; ++number) {
    Member* member = new (team->members + number) Member;
    member->team = team;
    member->shared = &team->shared->member(number);
  }
  return team;
}

// For forks without memory, so that their threads find the way back.
struct Lent {
  Team team;
  std::atomic<bool> is_used{false};
};
constinit Lent g_lent[64];

Team& lend(Member& from) {
  for (Lent& lent : g_lent) {
    if (!lent.is_used.load(std::memory_order_relaxed) &&
        !lent.is_used.exchange(true, std::memory_order_acquire)) {
      lent.team.from = &from;
      return lent.team;
    }
  }
  return g_nowhere_team;
}

// By its size; those without loops have none.
Team* team_of(Member& from, int size) {
  const bool has_loops = size >= 1 && size <= loops::kMostMembers;
  const int key = has_loops ? size : 0;
  for (Team* team = from.teams; team != nullptr; team = team->next) {
    if (team->size == key) {
      return team;
    }
  }
  const support::ErrnoKept errno_kept;
  Team* team = has_loops ? with_loops(from, size) : without_loops(from);
  if (team != nullptr) {
    team->next = from.teams;
    from.teams = team;
  }
  return team;
}

// What a first fork gets, as far as it can be told. Where no more levels may be active it is one
// thread, whatever was asked for: each member of a large team would make room for as many again.
int first_expected(const omp::Calls& runtime, int size) {
  int active = 0;
  for (int level = runtime.get_level(); level > 0; --level) {
    active += runtime.get_team_size(level) > 1 ? 1 : 0;
  }
  return active < runtime.get_max_active_levels() ? size : 1;
}

Request* request_of(Member& from, const omp::Calls& runtime, int size) {
  for (Request* request = from.requests; request != nullptr; request = request->next) {
    if (request->size == size && request->runtime == &runtime) {
      return request;
    }
  }
  const support::ErrnoKept errno_kept;
  Request* request = support::allocate<Request>();
  if (request != nullptr) {
    request->runtime = &runtime;
    request->size = size;
    request->expected = first_expected(runtime, size);
    request->next = from.requests;
    from.requests = request;
  }
  return request;
}

}  // namespace

Member& root() {
  const support::ErrnoKept errno_kept;
  const pthread_key_t* key = key_of_trees();
  if (key == nullptr) {
    return g_nowhere;
  }
  if (void* own = pthread_getspecific(*key)) {
    return static_cast<Root*>(own)->member;  // the thread has been in a team since
  }
  Root* root = unused_root();
  root = root != nullptr ? root : new_root();
  if (root == nullptr) {
    return g_nowhere;
  }
  if (pthread_setspecific(*key, root) != 0) {
    root->is_used.store(false, std::memory_order_release);
    return g_nowhere;
  }
  root->member.forks = {};
  return root->member;
}

void give_back_lent(Team& team) {
  if (team.request != nullptr || &team == &g_nowhere_team) {
    return;
  }
  for (Lent& lent : g_lent) {
    if (&lent.team == &team) {
      lent.is_used.store(false, std::memory_order_release);
      return;
    }
  }
}

Team& find_team(Member& from, const omp::Calls& runtime, int size) {
  if (&from == &g_nowhere) {
    return g_nowhere_team;
  }
  Request* request = request_of(from, runtime, size);
  if (request == nullptr) {
    return lend(from);
  }
  if (request->team == nullptr) {
    request->team = team_of(from, request->expected);
  }
  Team* team = request->team;
  if (team == nullptr) {
    return lend(from);
  }
  if (team->request != request) {
    team->request = request;
    team->runtime = &runtime;
  }
  return *team;
}

}  // namespace nestbind::sharing
