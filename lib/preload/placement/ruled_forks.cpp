// SPDX-License-Identifier: BSD-3-Clause
#include "placement/ruled_forks.hpp"

#include "binding/thread.hpp"
#include "memory/orders/obey_orders.hpp"
#include "observe/observer.hpp"
#include "placement/owed_size.hpp"
#include "placement/owner_word.hpp"
#include "placement/plain_forks.hpp"
#include "placement/region_rules.hpp"
#include "placement/ruled_places.hpp"
#include "placement/seen_places.hpp"

namespace nestbind::placement {

using binding::t_thread;

namespace {

// The data that ruled::fork passes to ruled::expect. If `size` is kAnew, the team gets `next_size`
// and `next`.
constexpr unsigned kAnew = ~0U;
struct RuledFork {
  unsigned size;
  unsigned next_size;
  team::Ruled next;
};
constinit thread_local RuledFork t_ruled __attribute__((tls_model("initial-exec"))) = {};

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
    plain::fork(runtime, code, asked);
  }
  return size > 0 ? size : asked;
}

// True if the thread forks its last team again, with the same place, rule and size.
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

[[gnu::noinline]] void expect_anew(team::Team& team) {
  const bool is_anew = t_ruled.size == kAnew;
  team.sized = is_anew ? t_ruled.next_size : t_ruled.size;
  if (is_anew) {
    team.ruled = t_ruled.next;
  } else {  // ruled::fork has compared the thread's last team, not this team
    team.ruled.region = 0;
  }
  plain::expect(team);
  begin_ruled(team);
}

// In LLVM's runtime, the inner teams of members get the rule's size, too. If the rule has no size
// for the inner level, restores the setting from before the fork.
[[gnu::noinline]] void begin_sized(team::Member& member, const team::Team& told) {
  plain::begin(member, told);
  if (sets_levels_inside(told)) {
    set_levels(told);
  }
  if (told.ruled.threads_before > 0 && member.team != nullptr && member.team->size > 1 &&
      is_planned(member.place) && member.place->planned.next_size == 0) {
    told.runtime->set_num_threads(told.ruled.threads_before);
  }
}

[[gnu::noinline]] void end_and_put_back(team::Member& member, team::Team* joined) {
  plain::end(member, joined);
  end_ruled(member, *joined);
}

}  // namespace

namespace ruled {

unsigned fork(const omp::Calls& runtime, const void* code, unsigned asked) {
  memory::obey_orders();
  const std::uintptr_t region = region_of(runtime, code);
  const team::Member* const from = team::t_here.member;
  const team::Team* const last = from == nullptr ? nullptr : from->forked;
  if (last == nullptr || last->ruled.region != region || last->ruled.at != from->place ||
      t_thread.owed_size > 0) {
    return fork_anew_by_rules(runtime, code, asked, region);
  }
  if (last->ruled.place == nullptr) {
    t_ruled.size = 0;
    plain::fork_if_new(runtime, code);
    return asked;
  }
  if (!is_ruled_as_before(*from, *last, runtime, asked)) {
    return fork_anew_by_rules(runtime, code, asked, region);
  }
  t_ruled.size = last->sized;
  return last->sized > 0 ? last->sized : asked;
}

void expect(team::Team& team) {
  if (team.sized == t_ruled.size) {
    plain::expect(team);
  } else {
    expect_anew(team);
  }
}

void begin(team::Member& member, const team::Team& told) {
  told.puts_back ? begin_sized(member, told) : plain::begin(member, told);
}

void end(team::Member& member, team::Team* joined) {
  joined != nullptr && joined->puts_back ? end_and_put_back(member, joined)
                                         : plain::end(member, joined);
}

}  // namespace ruled

}  // namespace nestbind::placement
