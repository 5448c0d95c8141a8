// SPDX-License-Identifier: BSD-3-Clause
#include "team/tree.hpp"

#include <pthread.h>
#include <sched.h>

#include "process/once.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "team/consumer.hpp"
#include "team/recycled.hpp"

namespace nestbind::team {

constinit thread_local Here t_here __attribute__((tls_model("initial-exec"))) = {};
constinit Member g_nowhere{};

namespace {

// A larger team, which is not realistic, gets no members here.
constexpr int kMostMembers = 1 << 20;

constinit std::atomic<std::ptrdiff_t> g_memory{0};
constinit Recycled<Team> g_teams;
constinit Recycled<Member> g_members;

// Special values of `granted`: a member is making the team, or there is no memory.
constinit Team g_making{};
constinit Team g_failed{};

// Roots are never removed from their list.
struct Root {
  Member member;
  std::atomic<bool> is_used{true};
  Root* next = nullptr;
};
constinit std::atomic<Root*> g_roots{nullptr};

bool is_short() { return g_memory.load(std::memory_order_relaxed) > kMostMemory; }

void forget(Team& team);

void forget_teams(Member& member) {
  while (Team* team = member.teams) {
    member.teams = team->next;
    forget(*team);
  }
}

// Must be called only if no thread is in the team, or in a team below it.
void forget(Team& team) {
  for (int number = 0; team.members != nullptr && number < team.size; ++number) {
    forget_teams(team.members[number]);
  }
  tell<&Consumer::forget>(team);
  g_members.give(team.members, static_cast<std::size_t>(team.size));
  g_teams.give(&team, 1);
}

// Forgets teams until memory is not short any more, the least recently used team first.
void make_room(Member& from, const Team* needed) {
  while (is_short()) {
    Team** last = nullptr;
    for (Team** link = &from.teams; *link != nullptr; link = &(*link)->next) {
      if (!(*link)->is_open && *link != needed && (*link)->kind == Team::Kind::kTeam) {
        last = link;
      }
    }
    if (last == nullptr) {
      return;
    }
    Team& team = **last;
    *last = team.next;
    forget(team);
  }
}

Team* new_team(Member& from, const Team* needed) {
  make_room(from, needed);
  Team* team = g_teams.take(1);
  if (team != nullptr) {
    team->from = &from;
    team->next = from.teams;
    from.teams = team;
  }
  return team;
}

bool make_members(Team& team, int size) {
  Member* members = g_members.take(static_cast<std::size_t>(size));
  if (members == nullptr) {
    return false;
  }
  for (int number = 0; number < size; ++number) {
    members[number].team = &team;
    members[number].number = number;
  }
  team.size = size;
  team.members = members;
  return true;
}

Team* find_granted(Team& told, int size) {
  if (told.members == nullptr && told.asked == size) {
    return &told;
  }
  for (Team* team = told.from->teams; team != nullptr; team = team->next) {
    if (team->size == size && team->members != nullptr && team->kind == Team::Kind::kTeam) {
      return team;
    }
  }
  return new_team(*told.from, &told);
}

// Runs on the first member that arrives.
Team* make_granted(Team& told, int size) {
  if (size > 1) {
    note_team();
  }
  if (size < 1 || size > kMostMembers || told.from == &g_nowhere) {
    return nullptr;
  }
  Team* team = find_granted(told, size);
  if (team == nullptr || (team->members == nullptr && !make_members(*team, size))) {
    return nullptr;
  }
  if (team != &told) {  // the next fork of this size opens this team
    team->asked = told.asked;
    told.asked = 0;
    team->runtime = told.runtime;
  }
  tell<&Consumer::open>(*team);
  return team;
}

// Sets `known` to the granted team, or to null if there is no memory. Returns false if another
// member was first.
bool grant(Team& told, int size, Team*& known) {
  const process::Undisturbed undisturbed;
  if (!told.granted.compare_exchange_strong(known, &g_making, std::memory_order_acq_rel)) {
    return false;
  }
  const support::ErrnoKept errno_kept;
  known = make_granted(told, size);
  told.granted.store(known != nullptr ? known : &g_failed, std::memory_order_release);
  return true;
}

// Forks use these teams if there is no memory.
struct Lent {
  Team team;
  std::atomic<bool> is_used{false};
};
constinit Lent g_lent[64];

Team* first(Member& from, Team** link) {
  Team* const team = *link;
  *link = team->next;
  team->next = from.teams;
  from.teams = team;
  return team;
}

// If a later destructor forks, the thread gets a root again.
void give_back(void* memory) {
  Root& root = *static_cast<Root*>(memory);
  t_here.member = nullptr;
  t_here.root = nullptr;
  root.member.forked = nullptr;
  tell<&Consumer::root_ends>(root.member);
  trim(root.member);
  root.is_used.store(false, std::memory_order_release);
}

// Calls give_back() when the thread ends, unless the program has used up all keys.
void watch_end(Root& root) {
  static pthread_key_t key;
  static constinit bool has_key = false;
  static constinit process::Once once;
  once.run([] { has_key = pthread_key_create(&key, give_back) == 0; });
  if (has_key) {
    pthread_setspecific(key, &root);
  }
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
  void* memory = aligned_alloc(alignof(Root), sizeof(Root));
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

}  // namespace

Team* find_team(Member& from, int asked) {
  if (&from == &g_nowhere) {
    return nullptr;
  }
  Team** as_large = nullptr;
  for (Team** link = &from.teams; *link != nullptr; link = &(*link)->next) {
    const Team& team = **link;
    if (team.kind == Team::Kind::kTeam && team.asked == asked) {
      return first(from, link);
    }
    if (team.kind == Team::Kind::kTeam && !team.is_open &&
        (team.size == asked || (team.members == nullptr && team.asked == 0))) {
      as_large = link;
    }
  }
  Team* const team = as_large != nullptr ? first(from, as_large) : new_team(from, nullptr);
  if (team != nullptr) {
    team->asked = asked;
  }
  return team;
}

Team* resolve(Team& told, int size) {
  for (;;) {
    Team* known = told.granted.load(std::memory_order_acquire);
    if (known == &g_making) {
      sched_yield();
    } else if (known == &g_failed) {
      return nullptr;
    } else if ((known != nullptr && known->size == size) || grant(told, size, known)) {
      return known;
    }
  }
}

Member* beside(Member& around, Team::Kind kind) {
  if (&around == &g_nowhere) {
    return nullptr;
  }
  Team* team = around.teams;
  while (team != nullptr && team->kind != kind) {
    team = team->next;
  }
  if (team == nullptr) {
    team = new_team(around, nullptr);
    if (team == nullptr) {
      return nullptr;
    }
    team->kind = kind;
  }
  if (team->members == nullptr && !make_members(*team, 1)) {
    return nullptr;
  }
  team->members[0].told = team;
  return team->members;
}

void trim(Member& root) {
  if (is_short()) {
    forget_teams(root);
  }
}

Team* lend(Member& from) {
  for (Lent& lent : g_lent) {
    if (!lent.is_used.load(std::memory_order_relaxed) &&
        !lent.is_used.exchange(true, std::memory_order_acquire)) {
      lent.team.from = &from;
      return &lent.team;
    }
  }
  return nullptr;
}

void give_back_lent(Team& team) {
  for (Lent& lent : g_lent) {
    if (&lent.team == &team) {
      lent.is_used.store(false, std::memory_order_release);
      return;
    }
  }
}

void count_memory(std::ptrdiff_t bytes) { g_memory.fetch_add(bytes, std::memory_order_relaxed); }

Member& find_here() {
  if (t_here.root == nullptr) {
    const support::ErrnoKept errno_kept;
    Root* root = unused_root();
    root = root != nullptr ? root : new_root();
    if (root == nullptr) {
      return g_nowhere;
    }
    watch_end(*root);
    t_here.root = &root->member;
  }
  t_here.member = t_here.root;
  return *t_here.root;
}

}  // namespace nestbind::team
