// SPDX-License-Identifier: BSD-3-Clause
// What happens at a fork: from the forking thread's place to the places of its team.
#include "placement/placed_forks.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "observe/observer.hpp"
#include "omp/runtime_affinity.hpp"
#include "options/settings.hpp"
#include "placement/expected_workers.hpp"
#include "placement/outside.hpp"
#include "placement/owed_size.hpp"
#include "placement/owner.hpp"
#include "placement/owner_word.hpp"
#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/purpose.hpp"
#include "placement/region_rules.hpp"
#include "placement/root_parts.hpp"
#include "placement/ruled_forks.hpp"
#include "placement/seen_places.hpp"
#include "placement/team_places.hpp"
#include "team/consumer.hpp"
#include "team/fork.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

// Of a bound thread: it has no place any more.
[[gnu::noinline]] void stand_up() {
  binding::unbind_self();
  tell_no_slot();
}

void enter_unmanaged(team::Member& member, const Thread& thread) {
  if (&member != &team::g_nowhere) {
    member.place = &g_unmanaged;
  }
  if (thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
}

// Binds a member that is not where its team has it, or that others than we may have moved. A team
// of one changes nothing, not even for a thread that has never been bound.
[[gnu::noinline]] void settle(const Place& place, bool may_have_moved) {
  const Thread& thread = t_thread;
  const bool is_there = thread.slot_id != 0 && thread.bound.bits == place.planned.mask.bits;
  if (place.size == 1 || is_there) {
    if (may_have_moved) {
      undo_runtime_s_mask();
    }
    if (place.size > 1 && thread.slot_id != place.slot_id) {
      binding::take_slot(place.slot_id);
      tell_slot(place, true);
    }
    return;
  }
  if (place.number == 0 && place.level == 1) {
    follow_mask_of_owner();  // from the next fork on: this team is planned
  }
  bind_to(place);
}

// The threads of the outermost team, which its runtime keeps.
void note_pool(Thread& thread, int size) {
  thread.pool = size;
  workers::note_own_team(size);
}

// The place of a thread that forks from outside of regions, or perhaps does: it may have left a
// region whose beginning was not seen.
[[gnu::noinline]] const Place* place_outside(const omp::Calls& runtime) {
  Thread& thread = t_thread;
  leave_untracked(thread);
  if (const Place* place = own_place()) {
    return place;
  }
  return root_fork(runtime);
}

// A team that is not planned begins with the process's mask, and so do threads that are created for
// it, which inherit their creator's.
[[gnu::noinline]] const Place* forked_unmanaged(const Place* place) {
  if (t_thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
  return place;
}

const Place* place_of_self(const omp::Calls& runtime) {
  const Place* own = own_place();
  const Place* place =
      own != nullptr && t_thread.untracked_in == nullptr ? own : place_outside(runtime);
  return is_planned(place) ? place : forked_unmanaged(place);
}

[[gnu::noinline]] const Place* observed_fork(const omp::Calls& runtime, const void* code) {
  const Place* place = place_of_self(runtime);
  tell_fork(place, code);
  return place;
}

// Whether a thread outside of regions would fork from the same root once more.
[[gnu::always_inline]] inline bool is_root_as_before(const team::Member& from,
                                                     const omp::Calls& runtime) {
  const PlanInForce* const plan = g_in_force.load(std::memory_order_acquire);
  const Thread& thread = t_thread;
  const binding::Sized& sized = thread.sized[0];
  return plan != nullptr && from.hands_on == &plan->root && sized.plan == plan &&
         sized.runtime == &runtime && from.team == nullptr && team::t_here.told == &runtime &&
         g_owner.thread.load(std::memory_order_acquire) == as_word(thread);
}

// Whether a thread forks from where it did the last time, and nobody is to be told of that.
[[gnu::always_inline]] inline bool forks_as_before(const omp::Calls& runtime) {
  const team::Member* const from = team::t_here.member;
  const Thread& thread = t_thread;
  if (from == nullptr || thread.untracked_in != nullptr || observe::somebody_listens()) {
    return false;
  }
  return from->place != nullptr ? from->place == from->hands_on && is_planned(from->place)
                                : is_root_as_before(*from, runtime);
}

[[gnu::noinline]] void fork_anew(const omp::Calls& runtime, const void* code) {
  const Place* place =
      observe::somebody_listens() ? observed_fork(runtime, code) : place_of_self(runtime);
  team::write_if_other(team::here().hands_on, place);
}

void fork_if_new(const omp::Calls& runtime, const void* code) {
  if (!forks_as_before(runtime)) {
    fork_anew(runtime, code);
  }
}

[[gnu::noinline]] void fork_owed(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (asked == 0 && team::t_here.told == &runtime) {
    pay(runtime);
  } else {
    give_owed_size(runtime, asked);
  }
  fork_if_new(runtime, code);
}

void fork(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (t_thread.owed_size > 0) {
    fork_owed(runtime, code, asked);
  } else {
    fork_if_new(runtime, code);
  }
}

// A league's thread is where the one around it is.
void open_league(const team::Team& team) { team.members[0].place = team.from->place; }

void open(team::Team& team) {
  if (team.kind != team::Team::Kind::kTeam) {
    open_league(team);
    return;
  }
  team::write_if_other(team.parent, team.from->hands_on);
  const bool is_known = team.planned != nullptr && team.planned->parent == team.parent &&
                        team.planned->size == team.size;
  if (!is_known && is_planned(team.parent)) {
    plan(team);
  }
}

void expect(team::Team& team) {
  const bool is_as_before = team.parent == team.from->hands_on && planned_of(team) != nullptr;
  if (team.ready > 0 && !is_as_before) {
    open(team);
  }
  if (!team.runtime->is_llvm || team.pool != nullptr) {  // it keeps its own workers
    expect_workers(team);
  }
}

// Where another setting makes the OpenMP runtime bind threads too, a record may be out of date.
// LLVM's runtime gives a thread that it meets in another runtime's region all processors.
bool may_have_moved(const omp::Calls& runtime) {
  const omp::Calls* const before = team::t_here.told;
  return options::settings().competing != nullptr || (before != nullptr && before != &runtime);
}

void begin_as_primary(Thread& thread, const Place* parent, int size) {
  if (size > 1 && size != thread.pool && parent != nullptr && parent->level == 0) {
    note_pool(thread, size);
  }
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
  const Place* const parent = team.parent;
  if (member.number != 0) {
    thread.untracked_in = nullptr;
  } else {
    begin_as_primary(thread, parent, team.size);
  }
  if (parent == nullptr) {
    if (!is_nowhere) {
      team::write_if_other(member.place, static_cast<const Place*>(nullptr));
    }
    if (thread.bound.bits != nullptr) {  // the specification has ended since
      stand_up();
    }
    return;
  }
  const Planned* planned = is_nowhere ? nullptr : planned_of(team);
  if (planned == nullptr) {
    enter_unmanaged(member, thread);
    return;
  }
  const Place& place = planned->members[member.number];
  team::write_if_other(member.place, &place);
  // By the first that comes, not the primary thread: the inner team of that one may tell of more
  // threads.
  if (planned->warning.load(std::memory_order_relaxed) != nullptr) {
    tell_crowd(*planned);
  }
  const bool has_perhaps_moved = may_have_moved(runtime);
  if (thread.slot_id != place.slot_id || has_perhaps_moved) {
    settle(place, has_perhaps_moved);
  }
  give_next_size(place, runtime);
  if (observe::somebody_listens()) {
    note_seen(place, *planned);
  }
}

[[gnu::noinline]] void begin_anew(team::Member& member, const team::Team& told) {
  take_place(member, told);
  if (omp::some_lines_are_taken()) {
    display_self(*told.runtime);
  }
}

// Whether the thread at a place would be bound to it once more, and nothing else is to be done.
bool is_settled(const team::Member& member, const Place& place, const omp::Calls& runtime) {
  const Thread& thread = t_thread;
  const bool has_no_pool = member.number != 0 || place.level > 1 || thread.pool == place.size;
  return member.place == &place && thread.slot_id == place.slot_id && has_no_pool &&
         thread.owed_size == 0 && (!thread.was_paid || place.size > 1) &&
         thread.untracked_in == nullptr && team::t_here.told == &runtime &&
         options::settings().competing == nullptr && !observe::somebody_listens() &&
         !omp::some_lines_are_taken();
}

// A member that has been at its place has told of the team's warning.
void begin(team::Member& member, const team::Team& told) {
  const Planned* const planned = member.team == nullptr ? nullptr : planned_of(*member.team);
  if (planned == nullptr || !is_settled(member, planned->members[member.number], *told.runtime)) {
    begin_anew(member, told);
    return;
  }
  t_thread.was_paid = false;
  if (member.place->planned.next_size > 0) {
    give_next_size(*member.place, *told.runtime);
  }
}

void end(team::Member& member, team::Team* joined) {
  owe_size_after(joined);
  if (joined != nullptr && joined->pool != nullptr) {
    workers_return(*joined);
  }
  if (observe::somebody_listens()) {
    tell_left(member.place);
  }
}

// The thread owns the plan before the league's other threads fork, if nobody does.
void league(const omp::Calls& runtime) {
  if (own_place() == nullptr && !plan_has_owner()) {
    root_fork(runtime);
  }
}

void root_ends(team::Member& root) {
  root.place = nullptr;
  root.hands_on = nullptr;
  leave_roots();
}

// Whether a thread outside of regions forks by the part that it had the last time, and nobody is to
// be told. One that is no root has that for teams of one.
bool goes_on_in_part(const omp::Calls& runtime, unsigned asked) {
  const team::Member* const from = team::t_here.member;
  const Thread& thread = t_thread;
  const binding::Sized& sized = thread.sized[0];
  return from != nullptr && from->place == nullptr && (thread.root != nullptr || asked == 1) &&
         is_same_division(thread.division) && from->hands_on != nullptr &&
         sized.plan == from->hands_on->plan && sized.runtime == &runtime &&
         team::t_here.told == &runtime && thread.owed_size == 0 && thread.untracked_in == nullptr &&
         !observe::somebody_listens();
}

[[gnu::noinline]] void fork_outside(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (t_thread.owed_size > 0) {
    give_owed_size(runtime, asked);
  }
  t_thread.forks = static_cast<int>(asked);
  fork_anew(runtime, code);
  // It may have another part than it was bound in, and a team of one does not bind it anew.
  const Place* const place = team::here().hands_on;
  const unsigned long* const bound = t_thread.bound.bits;
  if (bound != nullptr && is_planned(place) && bound != place->planned.mask.bits) {
    stand_up();
  }
}

void fork_in_part(const omp::Calls& runtime, const void* code, unsigned asked) {
  const Thread& thread = t_thread;
  if (team::is_inside()) {
    if (thread.root == nullptr && asked != 1) {
      become_root_inside(runtime, asked);
    }
    fork(runtime, code, asked);
    return;
  }
  if (thread.root != nullptr) {
    thread.root->outside_since.store(0, std::memory_order_relaxed);
  }
  if (!goes_on_in_part(runtime, asked)) {
    fork_outside(runtime, code, asked);
  }
}

void end_in_part(team::Member& member, team::Team* joined) {
  end(member, joined);
  if (joined != nullptr && joined->from->team == nullptr && t_thread.root != nullptr) {
    t_thread.root->outside_since.store(support::milliseconds_now(), std::memory_order_relaxed);
  }
}

// Where there are rules for single regions: of the calling thread's fork, from `fork` to `expect`.
constexpr unsigned kAnew = ~0U;
struct RuledFork {
  unsigned size;  // what Team::sized is to be; kAnew: `next` and that are to be written
  unsigned next_size;
  team::Ruled next;
};
constinit thread_local RuledFork t_ruled __attribute__((tls_model("initial-exec"))) = {};

// The place that a rule makes the calling thread hand on; null: none does.
const Place* hand_on_by_rule(const omp::Calls& runtime, std::uintptr_t region) {
  const RegionRule* const rule = rule_of_region(runtime, region);
  const Place* const place =
      rule != nullptr && follows_rule(own_place(), *rule) ? ruled_place(runtime, *rule) : nullptr;
  if (place == nullptr) {
    return nullptr;
  }
  team::write_if_other(team::here().hands_on, place);
  if (is_unmanaged(place)) {
    t_ruled.next.lost_place = t_thread.bound.bits != nullptr && is_planned(own_place());
    forked_unmanaged(place);
  }
  if (observe::somebody_listens()) {
    tell_fork(place, code_of(region));
  }
  return place;
}

[[gnu::noinline]] unsigned fork_anew_by_rules(const omp::Calls& runtime, const void* code,
                                              unsigned asked, std::uintptr_t region) {
  t_ruled = {};
  if (t_thread.owed_size > 0) {
    asked = give_owed_size(runtime, asked);
  }
  const Place* const place = hand_on_by_rule(runtime, region);
  const unsigned size = is_planned(place) ? ruled_size(runtime, *place, asked) : 0;
  t_ruled.size = kAnew;
  t_ruled.next_size = size;
  t_ruled.next.region = is_unmanaged(place) ? 0 : region;
  t_ruled.next.at = own_place();
  t_ruled.next.place = place;
  t_ruled.next.asked = asked;
  if (place == nullptr) {
    fork(runtime, code, asked);
  }
  return size > 0 ? size : asked;
}

// Whether the thread that has forked a team last would fork it from the same place once more, by
// the same rule, as large.
[[gnu::always_inline]] inline bool is_ruled_as_before(const team::Member& from,
                                                      const team::Team& last,
                                                      const omp::Calls& runtime, unsigned asked) {
  const Place* const place = last.ruled.place;
  const bool is_at_its_place =
      from.place != nullptr ||
      (from.team == nullptr && team::t_here.told == &runtime &&
       g_owner.thread.load(std::memory_order_acquire) == as_word(t_thread));
  if (from.hands_on != place || !is_at_its_place || last.ruled.asked != asked ||
      t_thread.untracked_in != nullptr || observe::somebody_listens()) {
    return false;
  }
  const bool has_size = last.sized == 0 || last.sized == asked ||
                        (asked == 0 && static_cast<int>(last.sized) == place->planned.next_size &&
                         runtime.get_max_threads() >= static_cast<int>(last.sized));
  const int levels = place->plan->rule_levels;
  return has_size && (levels == 0 || runtime.get_max_active_levels() >= levels);
}

unsigned fork_by_rules(const omp::Calls& runtime, const void* code, unsigned asked) {
  const std::uintptr_t region = region_of(runtime, code);
  const team::Member* const from = team::t_here.member;
  const team::Team* const last = from == nullptr ? nullptr : from->forked;
  if (last == nullptr || last->ruled.region != region || last->ruled.at != from->place ||
      t_thread.owed_size > 0) {
    return fork_anew_by_rules(runtime, code, asked, region);
  }
  if (last->ruled.place == nullptr) {
    t_ruled.size = 0;
    fork_if_new(runtime, code);
    return asked;
  }
  if (!is_ruled_as_before(*from, *last, runtime, asked)) {
    return fork_anew_by_rules(runtime, code, asked, region);
  }
  t_ruled.size = last->sized;
  return last->sized > 0 ? last->sized : asked;
}

[[gnu::noinline]] void expect_anew(team::Team& team) {
  const bool is_anew = t_ruled.size == kAnew;
  team.sized = is_anew ? t_ruled.next_size : t_ruled.size;
  if (is_anew) {
    team.ruled = t_ruled.next;
  } else {  // another team than that which was looked at
    team.ruled.region = 0;
  }
  expect(team);
  begin_ruled(team);
}

void expect_by_rules(team::Team& team) {
  if (team.sized == t_ruled.size) {
    expect(team);
  } else {
    expect_anew(team);
  }
}

// LLVM's runtime hands the rule's size on to the members. Beyond the rule it is as without.
[[gnu::noinline]] void begin_sized(team::Member& member, const team::Team& told) {
  begin(member, told);
  if (sets_levels_inside(told)) {
    set_levels(told);
  }
  if (told.ruled.threads_before > 0 && member.team != nullptr && member.team->size > 1 &&
      is_planned(member.place) && member.place->planned.next_size == 0) {
    told.runtime->set_num_threads(told.ruled.threads_before);
  }
}

void begin_by_rules(team::Member& member, const team::Team& told) {
  told.puts_back ? begin_sized(member, told) : begin(member, told);
}

[[gnu::noinline]] void end_and_put_back(team::Member& member, team::Team* joined) {
  end(member, joined);
  end_ruled(member, *joined);
}

void end_by_rules(team::Member& member, team::Team* joined) {
  joined != nullptr && joined->puts_back ? end_and_put_back(member, joined) : end(member, joined);
}

constinit team::Consumer g_consumer{.fork = fork,
                                    .expect = expect,
                                    .open = open,
                                    .begin = begin,
                                    .end = end,
                                    .league = league,
                                    .root_ends = root_ends,
                                    .forget = forget_places};

// Where root threads divide the plan. A league's threads are roots of their own.
constinit team::Consumer g_dividing{.fork = fork_in_part,
                                    .expect = expect,
                                    .open = open,
                                    .begin = begin,
                                    .end = end_in_part,
                                    .league = [](const omp::Calls&) {},
                                    .root_ends = root_ends,
                                    .forget = forget_places};

}  // namespace

void follow_roots() {
  g_owner.thread.store(0, std::memory_order_release);
  team::replace(g_consumer, g_dividing);
}

void follow() {
  team::g_nowhere.place = &g_unmanaged;
  if (has_region_rules()) {
    g_consumer.fork = nullptr;
    g_consumer.sized_fork = fork_by_rules;
    g_consumer.expect = expect_by_rules;
    g_consumer.begin = begin_by_rules;
    g_consumer.end = end_by_rules;
  }
  team::follow(g_consumer);
}

}  // namespace nestbind::placement
