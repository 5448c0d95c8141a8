// SPDX-License-Identifier: BSD-3-Clause
#include "sizes/told_sizes.hpp"

#include <algorithm>

#include "interpose/module.hpp"
#include "omp/runtimes.hpp"
#include "omp/sources.hpp"
#include "options/settings.hpp"
#include "options/table.hpp"
#include "owner/purpose.hpp"
#include "owner/rank_part.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "process/original_mask.hpp"
#include "process/traced.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

using binding::Sized;
using binding::t_thread;
using options::settings;

constinit std::atomic<const Told*> g_told{nullptr};

namespace {

constinit std::atomic<unsigned> g_serial{1};
constinit std::atomic<unsigned> g_counted_in{0};  // g_mask_changes when the words were counted

// The default of the outermost team at a level of `*`: only a CPU quota or fixed parts set it.
int size_of_star(PlanInForce* plan, int parts) {
  const int quota = process::quota();
  const bool is_limited = parts > 1 || (plan->spec.is_auto && quota > 0);
  options::UsersValue room;
  if (!is_limited || options::users_value(options::kThreads, room) != nullptr) {
    return 0;
  }
  PlanInForce* const counted = plan_to_count_in(plan);
  const PlannerGeometry* geometry = nullptr;
  const bool is_counted = counted != nullptr && find_geometry(counted, geometry) == NESTBIND_OK;
  const int slots = is_counted ? planner().slots(geometry) : 0;
  const int each = slots / parts;
  const int limit = quota > 0 ? quota / parts : each;
  return slots == 0 || (parts == 1 && limit >= slots) ? 0 : std::max(1, std::min(each, limit));
}

// A word has the smallest of its counts in the parts.
int size_of_word(PlanInForce* plan, int parts) {
  PlanInForce* const counted = plan_to_count_in(plan);
  int size = counted == nullptr ? 0 : counted->root.planned.next_size;
  for (int i = 0; parts > 1 && counted != nullptr && i < parts; ++i) {
    PlanInForce* const part = plan_of_part(counted, usable(), {usable().bits, i, parts, false});
    if (part != nullptr && make_for_mask(part) == NESTBIND_OK) {
      size = std::min(size, part->root.planned.next_size);
    }
  }
  return size;
}

int first_size(PlanInForce* plan) {
  const spec::Level& level = plan->spec.level[0];
  const int parts = std::max(1, settings().root_parts);
  return level.size > 0             ? level.size
         : spec::is_symbolic(level) ? size_of_word(plan, parts)
         : level.is_star            ? size_of_star(plan, parts)
                                    : 0;
}

Told count() {
  PlanInForce* const plan = plan_in_force();
  Told told;
  told.serial = g_serial.load(std::memory_order_relaxed);
  options::look_for_later_threads();
  if (plan != nullptr && settings().sizes) {
    told.threads = first_size(plan);
    told.levels = spec::levels_to_set(plan->spec, omp::usual_levels());
  }
  told.is_specified = told.threads > 0;
  return told;
}

bool is_counted(const Told* known) {
  return known != nullptr && g_counted_in.load(std::memory_order_relaxed) ==
                                 g_mask_changes.load(std::memory_order_relaxed);
}

// Called under the lock of plans. The first answer is not allocated: LLVM's runtime may ask while
// it holds its own locks, and the program's allocator may run a signal handler that forks.
const Told* keep(const Told& made) {
  static constinit Told first;
  static constinit const Told* last = nullptr;  // threads may still compare earlier answers
  Told* const kept = first.serial == 0 ? &first : support::allocate<Told>();
  if (kept == nullptr) {
    return g_told.load(std::memory_order_relaxed);
  }
  *kept = made;
  kept->earlier = last;
  last = kept;
  g_told.store(kept, std::memory_order_release);
  return kept;
}

// Counts once for each specification and each mask of the process. If two threads count at once,
// the first result stays. Counting may make a plan, so the lock is taken afterwards.
const Told* told() {
  const Told* const known = g_told.load(std::memory_order_acquire);
  if (is_counted(known)) {
    return known;
  }
  const unsigned mask_changes = g_mask_changes.load(std::memory_order_relaxed);
  const Told made = count();
  const PlansLocked locked;
  const Told* const present = g_told.load(std::memory_order_acquire);
  if (!locked || is_counted(present)) {
    return present;
  }
  g_counted_in.store(mask_changes, std::memory_order_relaxed);
  const bool is_same = present != nullptr && present->serial == made.serial &&
                       present->threads == made.threads && present->levels == made.levels;
  return is_same ? present : keep(made);
}

// The runtime that forked last is the first, so that a fork finds it at once.
Sized* sized_in(const omp::Calls& runtime) {
  auto& list = t_thread.sized;
  for (Sized& sized : list) {
    if (sized.runtime == &runtime || sized.runtime == nullptr) {
      sized.runtime = &runtime;
      std::swap(sized, list[0]);
      return list;
    }
  }
  return nullptr;
}

// True if the thread has chosen a size, which stays. A choice from the time of an earlier
// specification stays only if the present one has no size. nestbind does not see each call of
// omp_set_num_threads (Python's threadpoolctl asks the loader for the function), so it also
// compares the sizes.
bool has_chosen(const Sized& sized, const Told& now, int present) {
  if (t_thread.chose_in == now.serial) {
    return true;
  }
  if (sized.told == nullptr) {
    // In a forked child, the runtime may have the size that the parent was told.
    return present != sized.threads && !omp::is_usual(present);
  }
  const bool is_other_text = sized.told->serial != now.serial;
  const int known = sized.threads > 0 ? sized.threads : sized.threads_before;
  return present != known && !(is_other_text && now.is_specified);
}

// `is_read` is false if the runtime's present sizes cannot be read. Then they follow from the
// environment.
void tell(const omp::Calls& runtime, Sized& sized, const Told& now, bool is_read) {
  const omp::Sizes present = is_read ? omp::sizes_of(runtime) : omp::first_sizes();
  const bool stays = has_chosen(sized, now, present.threads);
  // A runtime that starts may have the size of another specification from the environment.
  const bool is_said = sized.told == nullptr && !stays && options::sizes_are_said();
  const bool has_ours = is_said || (sized.threads > 0 && present.threads == sized.threads);
  const bool are_levels_said = sized.told == nullptr && options::levels_are_said();
  const bool has_our_levels =
      are_levels_said || (sized.levels > 0 && present.levels == sized.levels);
  if (!has_ours || is_said) {
    sized.threads_before = is_said ? omp::usual_threads(0) : present.threads;
  }
  if (!has_our_levels || are_levels_said) {
    sized.levels_before = are_levels_said ? omp::usual_levels() : present.levels;
  }
  sized.told = &now;
  const int threads = now.threads > 0 ? now.threads : has_ours ? sized.threads_before : 0;
  const int levels = now.levels > 0 ? now.levels : has_our_levels ? sized.levels_before : 0;
  sized.threads = stays || now.threads == 0 ? 0 : threads;
  sized.levels = now.levels;
  omp::check_wanted(runtime);
  omp::install_sizes(runtime, stays || (is_read && threads == present.threads) ? 0 : threads,
                     is_read && levels == present.levels ? 0 : levels);
}

void tell_once(const omp::Calls& runtime, bool is_read) {
  const Told* const now = told();
  Sized* const sized = now == nullptr ? nullptr : sized_in(runtime);
  if (sized != nullptr && sized->told != now) {
    tell(runtime, *sized, *now, is_read);
  }
}

void note_runtime(const omp::Calls& runtime) {
  omp::note_started(runtime);
  if (process::is_traced()) {
    const char* file = interpose::module_name(reinterpret_cast<const void*>(runtime.get_level));
    process::trace(process::Traced::kRuntime, 0, 0, 0, file);
  }
}

}  // namespace

void tell_sizes(const omp::Calls& runtime) {
  if ((!is_told(t_thread, runtime) || !is_counted(g_told.load())) && level_in(runtime) == 0) {
    tell_once(runtime, true);
  }
}

void specification_has_changed() {
  g_serial.fetch_add(1, std::memory_order_relaxed);
  g_told.store(nullptr, std::memory_order_release);
  for (int i = 0; const omp::Calls* runtime = omp::started(i); ++i) {
    tell_sizes(*runtime);
  }
}

void say_in_environment(const spec::Spec& spec) {
  if (options::run_is_named() || !settings().sizes) {
    return;
  }
  options::say_sizes(spec.level[0].size, spec::levels_to_set(spec, omp::usual_levels()), false);
}

void forget_told_in_child() {
  for (Sized& sized : t_thread.sized) {
    sized.told = nullptr;
  }
}

void runtime_started(const omp::Calls& runtime) {
  note_runtime(runtime);
  if (plan_in_force() != nullptr) {
    tell_once(runtime, false);
  }
}

void runtime_found(const omp::Calls& runtime) {
  note_runtime(runtime);
  if (plan_in_force() != nullptr) {
    tell_sizes(runtime);
  }
}

int size_at_next_fork(int told, const omp::Calls* runtime) {
  binding::Thread& thread = t_thread;
  const omp::Calls* const asked = runtime != nullptr ? runtime : omp::started(0);
  if (thread.owed_size > 0) {
    return thread.owed_size;
  }
  if (asked == nullptr || g_in_force.load(std::memory_order_acquire) == nullptr ||
      own_place() != nullptr || level_in(*asked) > 0) {
    return told;
  }
  const unsigned division = g_division.load(std::memory_order_acquire);
  if (thread.asked_in != division) {  // the program may have set a mask
    thread.asked_in = division;
    follow_own_mask();
  }
  tell_sizes(*asked);
  return asked->get_max_threads();
}

void program_chose_size() {
  t_thread.chose_in = g_serial.load(std::memory_order_relaxed);
  t_thread.owed_size = 0;
  t_thread.chose_at = own_place();
}

}  // namespace nestbind::placement
