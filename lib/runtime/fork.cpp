// SPDX-License-Identifier: BSD-3-Clause
// What happens at a fork: from the forking thread's place to the places of its team.
#include "runtime/fork.hpp"

#include "options/settings.hpp"
#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "runtime/plans.hpp"
#include "runtime/report.hpp"
#include "runtime/roots.hpp"
#include "runtime/start.hpp"
#include "runtime/thread.hpp"
#include "workers/crew.hpp"

namespace nestbind::runtime {

namespace {

bool is_apart(const Place* place) { return place == &g_apart || place == &g_apart_root; }

void enter_apart(Thread& thread) {
  thread.place = &g_apart;
  if (thread.bound.bits != nullptr) {
    unbind_self();
  }
}

// A change of the specification ends with the region in which it was made.
void leave(const Place* place) {
  if (place != nullptr && place->original != nullptr) {
    place->original->changed.store(nullptr, std::memory_order_release);
  }
}

void bind_to(const Place& place) {
  if (!bind_self(place.planned.mask)) {
    static std::atomic<bool> told{false};
    if (!told.exchange(true)) {
      say(Severity::kWarning, "the system refuses to bind a thread; it runs unbound");
    }
  }
}

// Binds the master of a team before its workers are created: one that begins where its master still
// is would wait there for its master, which waits for it.
void go_ahead(const Place& parent, int size) {
  if (const Team* team = team_of(&parent, size)) {
    bind_to(team->members[0]);
  }
}

}  // namespace

const Place* fork_begin(const OmpCalls& omp) {
  Thread& thread = t_thread;
  if (thread.place != nullptr && thread.untracked && omp.get_level() < thread.place->level) {
    thread.place = nullptr;
    thread.untracked = false;
  }
  if (thread.place != nullptr) {
    return thread.place;
  }
  start();
  return root_fork(omp);
}

workers::Crew* expect_workers(const Place* parent, int size, const OmpCalls& omp) {
  Thread& thread = t_thread;
  thread.expected_parent = parent == nullptr || is_apart(parent) ? nullptr : parent;
  thread.expected_size = size;
  // At the outermost level the runtime keeps its threads, and creates those beyond.
  thread.expected_number =
      parent != nullptr && parent->level == 0 && thread.pool > 1 ? thread.pool : 1;
  if (thread.expected_parent != nullptr && thread.bound.bits == nullptr) {
    go_ahead(*parent, size);
  }
  // Threads that the runtime itself binds when it creates them, and we do not, have to be new.
  const int level = omp.get_level();
  const bool is_kept =
      level > 0 && (thread.expected_parent != nullptr || options::settings().competing == nullptr);
  thread.crew = is_kept ? workers::crew_for_fork(&omp, level) : nullptr;
  return thread.crew;
}

void workers_return(workers::Crew* crew) {
  if (crew != nullptr) {
    workers::crew_returns(*crew);
  }
}

CpuMask worker_mask(int number) {
  const Thread& thread = t_thread;
  if (thread.expected_parent == nullptr || number >= thread.expected_size) {
    return {};
  }
  const Team* team = team_of(thread.expected_parent, thread.expected_size);
  return team == nullptr ? CpuMask{} : team->members[number].planned.mask;
}

void league_begin(const OmpCalls& omp) {
  if (t_thread.place == nullptr && !plan_has_owner()) {
    start();
    root_fork(omp);
  }
}

const Place* parent_by_path(const OmpCalls& omp) {
  Plan* plan = plan_in_force();
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  const Place* place = &plan->root;
  const int level = omp.get_level();
  for (int above = 1; above < level; ++above) {
    const Team* team = team_of(place, omp.get_team_size(above));
    if (team == nullptr) {
      return nullptr;
    }
    place = &team->members[omp.get_ancestor_thread_num(above)];
    if (const Place* changed = place->changed.load(std::memory_order_acquire)) {
      place = changed;
    }
  }
  return place;
}

bool told_by_other(const OmpCalls& omp) {
  const OmpCalls* told = t_thread.omp;
  return told != nullptr && told != &omp;
}

void member_begin(const Place* parent, int number, int size, const OmpCalls& omp) {
  Thread& thread = t_thread;
  if (number != 0) {
    leave(thread.place);
  } else {
    thread.expected_parent = nullptr;
    thread.crew = nullptr;
    if (size > 1 && size != thread.pool && parent != nullptr && parent->level == 0) {
      thread.pool = size;
      workers::note_own_team(size);
    }
  }
  // LLVM's runtime gives a thread that it meets in another runtime's region all processors.
  const bool met_other = thread.omp != nullptr && thread.omp != &omp;
  thread.omp = &omp;
  thread.untracked = false;
  if (parent == nullptr) {
    thread.place = nullptr;
    return;
  }
  if (is_apart(parent)) {
    enter_apart(thread);
    return;
  }
  const Team* team = team_of(parent, size);
  if (team == nullptr) {
    enter_apart(thread);
    return;
  }
  const Place& place = team->members[number];
  thread.place = &place;
  // Where another setting makes the OpenMP runtime bind threads too, a record may be out of date.
  if (thread.bound.bits != place.planned.mask.bits || options::settings().competing != nullptr ||
      met_other) {
    bind_to(place);
  }
  if (place.planned.next_size > 0 && options::settings().sizes) {
    omp.set_num_threads(place.planned.next_size);
  }
  if (options::settings().report != options::ReportFormat::kNone) {
    report(place, *team);
  }
}

void member_end(const Place* parent, int number) {
  Thread& thread = t_thread;
  leave(thread.place);
  // Outside of the outermost region a thread has no place: its next fork asks for the plan in
  // force.
  const bool goes_on = number == 0 && parent != &g_apart_root && parent != nullptr &&
                       (parent == &g_apart || parent->level > 0);
  thread.place = goes_on ? parent : nullptr;
}

void widen_self() { unbind_self(); }

void thread_changed() { workers::note_change(); }

void warn_not_exported(const char* function) {
  say(Severity::kWarning,
      "the OpenMP runtime of the instrumented program does not export %s, so its teams cannot be "
      "bound: link it with nestbind-instrument, or with -Wl,-u,%s",
      function, function);
}

}  // namespace nestbind::runtime
