// SPDX-License-Identifier: BSD-3-Clause
#include "placement/expected_workers.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "placement/bind.hpp"
#include "placement/places.hpp"
#include "workers/crew.hpp"
#include "workers/room.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

// Binds the master of a team before its workers are created: one that begins where its master still
// is would wait there for its master, which waits for it. Not before there is a worker: only then
// it is a team of more than one.
void go_ahead(const Team& team) {
  if (t_thread.bound.bits == nullptr) {
    bind_to(team.members[0]);
  }
}

}  // namespace

workers::Crew* expect_workers(const Place* parent, int size, const omp::Calls& runtime) {
  Thread& thread = t_thread;
  thread.expected_parent = parent == nullptr || is_apart(parent) ? nullptr : parent;
  thread.expected_size = size;
  // At the outermost level the runtime keeps its threads, and creates those beyond.
  thread.expected_number =
      parent != nullptr && parent->level == 0 && thread.pool > 1 ? thread.pool : 1;
  // Threads that the runtime itself binds when it creates them, and we do not, have to be new.
  const int level = runtime.get_level();
  const bool is_kept =
      level > 0 && (thread.expected_parent != nullptr || options::settings().competing == nullptr);
  thread.crew = is_kept ? workers::crew_for_fork(&runtime, level) : nullptr;
  return thread.crew;
}

void workers_return(workers::Crew* crew) {
  if (crew != nullptr) {
    workers::crew_returns(*crew);
  }
}

bool is_worker(workers::Start* start) {
  return omp::is_in_runtime(reinterpret_cast<uintptr_t>(start));
}

bool is_expected_worker(workers::Start* start) {
  const Thread& thread = t_thread;
  return (thread.expected_parent != nullptr || thread.crew != nullptr) && is_worker(start);
}

mask::CpuMask mask_for_new_worker() {
  const Thread& thread = t_thread;
  const int number = thread.expected_number - 1;  // it has been counted
  if (thread.expected_parent == nullptr || number >= thread.expected_size ||
      binding::masks_are_recorded()) {
    return {};
  }
  const Team* team = team_of(thread.expected_parent, thread.expected_size);
  if (team == nullptr) {
    return {};
  }
  go_ahead(*team);
  return team->members[number].planned.mask;
}

int provide_worker(const workers::Request& request, workers::CreateThread* create) {
  ++t_thread.expected_number;
  if (workers::Crew* crew = t_thread.crew) {
    return workers::hire(*crew, request, create);
  }
  return workers::with_room(
      [&] { return create(request.thread, request.attributes, request.start, request.argument); },
      workers::kReturnsError);
}

}  // namespace nestbind::placement
