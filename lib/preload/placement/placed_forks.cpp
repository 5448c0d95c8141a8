// SPDX-License-Identifier: BSD-3-Clause
// The consumer of forks that places teams.
#include "placement/placed_forks.hpp"

#include "binding/kernel_mask.hpp"
#include "memory/orders/order_file.hpp"
#include "omp/runtime_affinity.hpp"
#include "options/settings.hpp"
#include "owner/purpose.hpp"
#include "owner/rank_part.hpp"
#include "placement/place_of_fork.hpp"
#include "placement/region_rules.hpp"
#include "placement/seen_places.hpp"
#include "places/team_places.hpp"
#include "support/errno_kept.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

constinit bool g_is_plain = false;

using binding::t_thread;
using binding::Thread;

namespace {

// What fork() hands on to expect(), which knows the team.
struct RuledFork {
  const Place* place;  // the rule's place, or null
  unsigned size;       // the size that the rule sets, or 0
  unsigned asked;
  bool lost_place;
  bool is_set;  // expect() must read the other fields
};
constinit thread_local RuledFork t_ruled __attribute__((tls_model("initial-exec"))) = {};

// Members may take the short way: nobody observes them, and no runtime binds threads. Does not
// change after the first fork.
constinit bool g_is_quiet = false;

// Gives the thread its free mask, because new threads inherit the mask.
void leave_slot() {
  if (t_thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
}

// Binds a thread to its planned place. A team of one thread never changes its thread's binding,
// except that the size 1 in a specification binds a thread that is not bound yet.
[[gnu::noinline]] void settle(const Place& place, bool may_have_moved) {
  const Thread& thread = t_thread;
  const bool is_there = thread.slot_id != 0 && thread.bound.bits == place.planned.mask.bits;
  const bool binds_one = place.size == 1 && thread.bound.bits == nullptr &&
                         place.level <= place.plan->spec.levels &&
                         place.plan->spec.level[place.level - 1].size == 1;
  if ((place.size == 1 && !binds_one) || is_there) {
    if (may_have_moved) {
      undo_runtime_s_mask();
    }
    if (place.size > 1 && thread.slot_id != place.slot_id) {
      binding::take_slot(place.slot_id);
      tell_slot(place, true);
    }
    return;
  }
  if (binds_one) {
    team::note_team();
  }
  bind_to(place);
}

bool fits(const omp::Calls& runtime, const Place& place, unsigned asked) {
  const int most = place.plan->fits;
  return most == PlanInForce::kAnySize || runtime.is_llvm ||
         (asked > 0 ? static_cast<int>(asked) : runtime.get_max_threads()) <= most;
}

// Returns the place to fork from if it follows from the thread's last fork, otherwise null.
[[gnu::always_inline]] inline const Place* place_as_before(const omp::Calls& runtime,
                                                           unsigned asked) {
  const team::Member* const from = team::t_here.member;
  const Thread& thread = t_thread;
  if (from == nullptr || thread.untracked_in != nullptr || observe::somebody_listens()) {
    return nullptr;
  }
  if (const Place* const place = from->place) {
    const bool is_same = is_planned(place) && (asked == 1 || !is_not_root_yet(*place)) &&
                         fits(runtime, *place, asked);
    return is_same ? place : nullptr;
  }
  if (from->team != nullptr || thread.root_place == nullptr || !keeps_part(thread) ||
      !is_told(thread, runtime) || team::t_here.told != &runtime ||
      (asked != 1 && !thread.is_root) || !fits(runtime, *thread.root_place, asked)) {
    return nullptr;
  }
  part_is_used(thread);
  return thread.root_place;
}

void hand_on(const Place* place, const void* code, unsigned asked) {
  const unsigned long* const bound = t_thread.bound.bits;
  if (!is_planned(place)) {
    leave_slot();
  } else if (asked <= 1 && place->level == 0 && bound != nullptr &&
             bound != place->planned.mask.bits) {
    // A team of one thread does not bind its thread. This thread may be bound in another part.
    stand_up();
  }
  if (observe::somebody_listens() && is_planned(place)) {
    observe::tell_forked({place->level + 1, code});
  }
  team::write_if_other(team::here().hands_on, place);
}

// True if a bound member is not bound in the team that it forks. It is bound again after the
// region.
bool loses_place(const Place* own, const Place* place) {
  return own != nullptr && is_planned(original_of(own)) && is_unmanaged(place) &&
         t_thread.bound.bits != nullptr;
}

[[gnu::noinline]] unsigned fork_anew(const omp::Calls& runtime, const void* code, unsigned asked) {
  const Place* const own = own_place();
  if (asked != 1 && is_planned(own) && is_not_root_yet(*own) &&
      (asked > 1 || runtime.get_max_threads() > 1)) {
    become_root_inside();
  }
  const Place* place = place_of_fork(runtime, nullptr, asked);
  place = place_that_fits(runtime, place, asked);
  const bool lost_place = loses_place(own, place);
  t_ruled = {nullptr, 0, asked, lost_place, lost_place};
  hand_on(place, code, asked);
  return asked;
}

unsigned fork_by_plan(const omp::Calls& runtime, const void* code, unsigned asked) {
  const Place* const place = place_as_before(runtime, asked);
  if (place == nullptr) {
    return fork_anew(runtime, code, asked);
  }
  team::write_if_other(team::t_here.member->hands_on, place);
  return asked;
}

[[gnu::noinline]] unsigned pay_at_fork(const omp::Calls& runtime, unsigned asked) {
  if (asked == 0 && team::t_here.told == &runtime) {
    pay(runtime);
    return asked;
  }
  return give_owed_size(runtime, asked);
}

// Returns the place of a region's rule if the thread is outside of regions, has the whole machine
// as before, and the rule's plan is known. Otherwise returns null.
[[gnu::always_inline]] inline const Place* ruled_root(const omp::Calls& runtime,
                                                      const RegionRule& rule, unsigned asked) {
  const team::Member* const from = team::t_here.member;
  const Thread& thread = t_thread;
  const bool is_root =
      from != nullptr && from->place == nullptr && from->team == nullptr &&
      thread.untracked_in == nullptr && team::t_here.told == &runtime && thread.has_whole &&
      (asked == 1 || thread.is_root) && keeps_part(thread) &&
      rule.division.load(std::memory_order_acquire) == thread.division &&
      (g_in_force.load(std::memory_order_relaxed) == nullptr || is_told(thread, runtime)) &&
      !observe::somebody_listens();
  if (!is_root) {
    return nullptr;
  }
  part_is_used(thread);
  return &rule.plan.load(std::memory_order_relaxed)->root;
}

unsigned fork_by_rules(const omp::Calls& runtime, const void* code, unsigned asked) {
  const std::uintptr_t region = region_of(runtime, code);
  const RegionRule* const rule = rule_of_region(runtime, region);
  if (const Place* const root = rule == nullptr ? nullptr : ruled_root(runtime, *rule, asked)) {
    const unsigned size = ruled_size(runtime, *root, asked);
    t_ruled = {root, size, asked, false, true};
    team::write_if_other(team::here().hands_on, root);
    return size > 0 ? size : asked;
  }
  const Place* const own = own_place();
  t_ruled = {};
  t_ruled.is_set = true;  // expect() forgets the rule of the team's last fork
  if (rule == nullptr || !follows_rule(own, *rule)) {
    return fork_by_plan(runtime, code_of(region), asked);
  }
  const Place* place = place_of_fork(runtime, rule, asked);
  const unsigned size = is_planned(place) ? ruled_size(runtime, *place, asked) : 0;
  place = place_that_fits(runtime, place, size > 0 ? size : asked);
  t_ruled = {place, size, asked, loses_place(own, place), true};
  hand_on(place, code_of(region), size > 0 ? size : asked);
  return size > 0 ? size : asked;
}

[[gnu::noinline]] unsigned fork_anyhow(const omp::Calls& runtime, const void* code,
                                       unsigned asked) {
  memory::obey_orders();
  if (t_thread.owed_size > 0) {
    asked = pay_at_fork(runtime, asked);
  }
  if (has_region_rules()) {
    return fork_by_rules(runtime, code, asked);
  }
  return fork_by_plan(runtime, code, asked);
}

// Remembers that the thread's next forks outside of regions need only a quick look.
void note_quick_place(const omp::Calls& runtime) {
  Thread& thread = t_thread;
  const bool is_quick = thread.root_place != nullptr && thread.is_root &&
                        thread.root_place->plan->fits == PlanInForce::kAnySize &&
                        is_told(thread, runtime) && keeps_part_quietly(thread);
  thread.quick_place = is_quick ? thread.root_place : nullptr;
}

unsigned fork(const omp::Calls& runtime, const void* code, unsigned asked) {
  team::Member* const from = team::t_here.member;
  const Place* const place = g_is_plain && from != nullptr ? place_again(*from, runtime) : nullptr;
  if (place == nullptr) {
    const unsigned size = fork_anyhow(runtime, code, asked);
    if (g_is_plain && own_place() == nullptr) {
      note_quick_place(runtime);
    }
    return size;
  }
  if (from->place == nullptr) {
    part_is_used(t_thread);
  }
  team::write_if_other(from->hands_on, place);
  return t_thread.owed_size > 0 ? pay_at_fork(runtime, asked) : asked;
}

// LLVM's runtime tells a team's size only when the team begins, and creates no threads before.
[[gnu::noinline]] const Place* leave_part(team::Team& team, const Place& parent) {
  const Place* const own = team.from->place;
  const Place* const place = place_that_fits(parent, team.size);
  if (own != nullptr && is_planned(original_of(own))) {
    team.ruled.lost_place = true;
    team.puts_back = true;
  }
  return place;
}

void open(team::Team& team) {
  team.again = nullptr;
  if (team.kind != team::Team::Kind::kTeam) {
    team.members[0].place = team.from->place;  // of the thread that encountered the league
    return;
  }
  const Place* parent = team.from->hands_on;
  if (team.runtime->is_llvm && is_planned(parent) && team.size > parent->plan->fits) {
    parent = leave_part(team, *parent);
  }
  team::write_if_other(team.parent, parent);
  const Planned* const known = planned_of(team);
  const bool is_there = parent == nullptr || parent->plan == nullptr ||
                        (known != nullptr && known->size == team.size);
  if (!is_there && !take_known_places(team, *parent)) {
    plan(team, *parent);
  }
}

[[gnu::noinline]] void expect_by_rule(team::Team& team) {
  team.sized = t_ruled.size;
  team.ruled.place = t_ruled.place;
  team.ruled.asked = t_ruled.asked;
  team.ruled.lost_place = t_ruled.lost_place;
  begin_ruled_sizes(team);
  t_ruled = {};
}

// True if the members, and the team's next fork, may take the short way.
bool may_repeat(const team::Team& team, const Planned* planned) {
  return g_is_quiet && is_only_consumer() && team.ready > 0 && !team.puts_back &&
         planned != nullptr && planned->warning.load(std::memory_order_relaxed) == nullptr &&
         !omp::some_lines_are_taken();
}

void expect(team::Team& team) {
  if (team.ready > 0 && (team.parent != team.from->hands_on || planned_of(team) == nullptr)) {
    open(team);
  }
  if (!team.runtime->is_llvm || team.pool != nullptr) {  // LLVM's runtime keeps its own workers
    expect_workers(team);
  }
  if (t_ruled.is_set || team.ruled.place != nullptr) {
    expect_by_rule(team);
  }
  const Planned* const planned = planned_of(team);
  team::write_if_other(team.again, static_cast<const Place*>(
                                       may_repeat(team, planned) ? planned->members : nullptr));
}

void enter_unmanaged(team::Member& member, const Planned* planned, const omp::Calls& runtime) {
  const Place& place = planned == nullptr ? g_unmanaged : planned->members[member.number];
  if (&member != &team::g_nowhere) {
    member.place = &place;
  }
  if (member.number != 0) {
    t_thread.own = {};  // of another team
  }
  leave_slot();
  give_next_size(place, runtime);
}

// The runtime binds threads, too, if OMP_PROC_BIND or a similar variable is set. LLVM's runtime
// gives all processors to a thread that comes from another runtime's region.
bool may_have_moved(const omp::Calls& runtime) {
  const omp::Calls* const before = team::t_here.told;
  return options::settings().competing != nullptr || (before != nullptr && before != &runtime);
}

void take_place(team::Member& member, const team::Team& told) {
  Thread& thread = t_thread;
  const omp::Calls& runtime = *told.runtime;
  const bool is_nowhere = member.team == nullptr;
  const team::Team& team = is_nowhere ? told : *member.team;
  thread.owed_size = 0;
  if (thread.was_paid) {
    count_anew(runtime, team.size);
  }
  note_if_refused(team);
  const Place* const parent = team.parent;
  if (member.number != 0) {
    thread.untracked_in = nullptr;
  } else if (team.size > 1 && team.size != thread.pool && parent != nullptr && parent->level == 0) {
    thread.pool = team.size;
    workers::note_own_team(team.size);
  }
  if (parent == nullptr) {
    if (!is_nowhere) {
      team::write_if_other(member.place, static_cast<const Place*>(nullptr));
    }
    if (thread.bound.bits != nullptr) {
      stand_up();
    }
    return;
  }
  const Planned* planned = is_nowhere ? nullptr : planned_of(team);
  if (planned == nullptr || !is_planned(parent)) {
    enter_unmanaged(member, planned, runtime);
    return;
  }
  const Place& place = planned->members[member.number];
  team::write_if_other(member.place, &place);
  if (place.number != 0) {  // a worker of a root thread with an own mask has this mask, too
    const Share& share = place.plan->share;
    thread.own = share.is_own ? mask::CpuMask{mask::kMaxCpus / 8, share.machine} : mask::CpuMask{};
  }
  // The first member that arrives prints the warning, before any warning of an inner team.
  if (planned->warning.load(std::memory_order_relaxed) != nullptr) {
    tell_crowd(*planned);
  }
  const bool has_perhaps_moved = may_have_moved(runtime);
  if (thread.slot_id != place.slot_id || has_perhaps_moved) {
    settle(place, has_perhaps_moved);
  }
  if (place.planned.next_size > 0) {
    give_next_size(place, runtime);
  }
  if (observe::somebody_listens()) {
    note_seen(place, *planned);
  }
}

void begin(team::Member& member, const team::Team& told) {
  take_place(member, told);
  if (omp::some_lines_are_taken()) {
    display_self(*told.runtime);
  }
  if (told.puts_back) {
    begin_ruled_member(member, told);
  }
}

[[gnu::noinline]] void end_by_rule(const team::Member& member, team::Team& joined) {
  const Place* const place = joined.from->place;
  if (joined.ruled.lost_place && place != nullptr && t_thread.bound.bits == nullptr) {
    bind_to(*original_of(place));
  }
  joined.ruled.lost_place = false;
  end_ruled_sizes(member, joined);
}

void end(team::Member& member, team::Team* joined) {
  owe_size_after(joined);
  if (joined != nullptr) {
    leave_region(*joined);
  }
  if (observe::somebody_listens()) {
    tell_left(member.place);
  }
  if (joined != nullptr && joined->puts_back) {
    end_by_rule(member, *joined);
  }
  // If the team has another size than its source has told, its record is another one.
  if (joined != nullptr && member.team != joined && member.team != nullptr &&
      member.team->puts_back) {
    end_by_rule(member, *member.team);
  }
}

// If no thread owns the plan, this thread becomes the owner before the league's other threads fork.
// Where root threads divide the machine, a league's threads are root threads, too.
void league(const omp::Calls& runtime) {
  if (own_place() == nullptr && owner() == nullptr && !root_threads_divide()) {
    place_of_fork(runtime, nullptr, 0);
  }
}

void root_ends(team::Member& root) {
  root.place = nullptr;
  root.hands_on = nullptr;
  leave_roots();
}

constinit team::Consumer g_consumer{.fork = fork,
                                    .expect = expect,
                                    .open = open,
                                    .begin = begin,
                                    .end = end,
                                    .league = league,
                                    .root_ends = root_ends,
                                    .forget = forget_places};

}  // namespace

void give_size_again(const Place& place, const omp::Calls& runtime) {
  const support::ErrnoKept errno_kept;
  give_next_size(place, runtime);
}

void leave_region(team::Team& joined) {
  workers_return(joined);
  if (joined.from->team == nullptr) {
    part_is_unused(t_thread);
  }
}

void place_forks() {
  team::g_nowhere.place = &g_unmanaged;
  g_is_plain = !has_region_rules() && !memory::has_orders() && !observe::somebody_listens();
  g_is_quiet = !observe::somebody_listens() && options::settings().competing == nullptr;
  team::follow(g_consumer);
}

}  // namespace nestbind::placement
