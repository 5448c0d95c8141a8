// SPDX-License-Identifier: BSD-3-Clause
#include "placement/divided_forks.hpp"

#include "binding/thread.hpp"
#include "memory/orders/obey_orders.hpp"
#include "observe/observer.hpp"
#include "placement/owed_size.hpp"
#include "placement/plain_forks.hpp"
#include "placement/root_parts.hpp"
#include "team/fork.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

// True only if a thread outside of regions keeps its part at this fork. Only a root thread may fork
// several threads in its part.
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
  plain::fork_anew(runtime, code);
  // A team of one thread does not bind its thread. This thread may be bound in another part.
  const Place* const place = team::here().hands_on;
  const unsigned long* const bound = t_thread.bound.bits;
  if (bound != nullptr && is_planned(place) && bound != place->planned.mask.bits) {
    stand_up();
  }
}

}  // namespace

namespace divided {

void fork(const omp::Calls& runtime, const void* code, unsigned asked) {
  memory::obey_orders();
  const Thread& thread = t_thread;
  if (team::is_inside()) {
    if (thread.root == nullptr && asked != 1) {
      become_root_inside(runtime, asked);
    }
    plain::fork(runtime, code, asked);
    return;
  }
  if (thread.root != nullptr) {
    thread.root->outside_since.store(0, std::memory_order_relaxed);
  }
  if (!goes_on_in_part(runtime, asked)) {
    fork_outside(runtime, code, asked);
  }
}

void end(team::Member& member, team::Team* joined) {
  plain::end(member, joined);
  if (joined != nullptr && joined->from->team == nullptr && t_thread.root != nullptr) {
    t_thread.root->outside_since.store(support::milliseconds_now(), std::memory_order_relaxed);
  }
}

}  // namespace divided

}  // namespace nestbind::placement
