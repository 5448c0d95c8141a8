// SPDX-License-Identifier: BSD-3-Clause
#include "placement/expected_workers.hpp"

#include "binding/kernel_mask.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "placement/seen_places.hpp"
#include "places/team_places.hpp"
#include "process/armed.hpp"
#include "process/original_mask.hpp"
#include "team/tree.hpp"
#include "workers/census.hpp"
#include "workers/ending.hpp"
#include "workers/leaving.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

using binding::t_thread;

namespace {

team::Team* forking_team() {
  const team::Member* const member = team::t_here.member;
  team::Team* const team = member == nullptr ? nullptr : member->forked;
  return team != nullptr && team->is_forking && !team->runtime->is_llvm ? team : nullptr;
}

}  // namespace

void expect_workers(team::Team& team) {
  team::write_if_other(team.created, 0);
  // A planned outermost team has the runtime's own threads. If a runtime binds the threads of
  // unplanned teams, these threads must be new.
  const Place* const place = team.from->hands_on;
  const bool may_be_kept =
      is_planned(place) ? place->level > 0 : options::settings().competing == nullptr;
  const int level = may_be_kept && !team.runtime->is_llvm ? level_in(*team.runtime) : 0;
  workers::Pool* const pool = level > 0 ? workers::pool_for_fork(team.runtime, level) : nullptr;
  team::write_if_other(team.pool, pool);
}

void workers_return(team::Team& team) {
  if (team.pool != nullptr) {
    workers::pool_returns(*team.pool);
    team.pool = nullptr;
  }
}

bool is_forking() {
  const team::Team* const team = forking_team();
  return team != nullptr && is_planned(team->from->hands_on);
}

bool is_expected_worker(workers::Start* start) {
  const team::Team* const team = process::armed() ? forking_team() : nullptr;
  return team != nullptr && (team->pool != nullptr || is_planned(team->from->hands_on)) &&
         omp::is_in_runtime(reinterpret_cast<uintptr_t>(start));
}

mask::CpuMask mask_for_new_worker() {
  team::Team* const team = team::t_here.member->forked;
  const Place* const parent = team->from->hands_on;
  if (!is_planned(parent) || binding::masks_are_recorded()) {
    return {};
  }
  // The runtime keeps the threads of the outermost team, and creates only further threads.
  const int first_new = parent->level == 0 && t_thread.pool > 1 ? t_thread.pool : 1;
  const int number = first_new + team->created - 1;  // this worker is already counted
  team::Team* const granted = number >= team->asked        ? nullptr
                              : team->ready == team->asked ? team
                                                           : team::resolve(*team, team->asked);
  const Planned* const planned = granted == nullptr ? nullptr : planned_of(*granted);
  if (planned == nullptr || number >= planned->size) {
    return {};
  }
  // Otherwise the worker may start on the primary thread's processor.
  if (t_thread.bound.bits == nullptr) {
    bind_to(planned->members[0]);
  }
  return planned->members[number].planned.mask;
}

int provide_worker(const workers::Request& request, workers::CreateThread* create) {
  team::Team* const team = team::t_here.member->forked;
  ++team->created;
  if (team->pool != nullptr) {
    return workers::hire(*team->pool, request, create);
  }
  return workers::with_room(
      [&] { return create(request.thread, request.attributes, request.start, request.argument); },
      workers::kReturnsError);
}

void decide_on_workers() {
  if (options::settings().keep_workers && workers::may_keep()) {
    workers::watch_primaries();
    workers::end_all_at_exit();
    const omp::Waiting waiting = omp::usual_waiting();
    workers::keep_workers({.processors = mask::count(process::original_mask()),
                           .patience = waiting.checks,
                           .spins_on = waiting.is_active});
  }
}

}  // namespace nestbind::placement
