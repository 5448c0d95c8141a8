// SPDX-License-Identifier: BSD-3-Clause
#include "workers/changes.hpp"

#include <unistd.h>

#include "support/errno_kept.hpp"
#include "support/system_call.hpp"
#include "workers/census.hpp"

namespace nestbind::workers {

constinit thread_local OfThread t_of_thread __attribute__((tls_model("initial-exec"))) = {};
constinit std::atomic<unsigned> g_changes_of_any{0};

namespace {

bool is_thread_of_ours(pid_t thread) {
  const support::ErrnoKept errno_kept;
  return support::system_call(SYS_tgkill, getpid(), thread, 0) == 0;
}

}  // namespace

void note_own_change() {
  if (t_of_thread.worker != nullptr) {
    t_of_thread.worker->thread = Moment::kNever;
  }
}

void note_change() {
  ++t_of_thread.changes;
  note_own_change();
}

void note_change_of_any() {
  if (kept_workers() > 0) {
    g_changes_of_any.fetch_add(1, std::memory_order_acq_rel);
  }
}

void note_change_of(pid_t thread) {
  if (thread == 0 || thread == gettid()) {
    note_change();
  } else if (kept_workers() > 0 && is_thread_of_ours(thread)) {
    note_change_of_any();
  }
}

void note_change_of_handle(pthread_t thread) {
  if (pthread_equal(thread, pthread_self()) != 0) {
    note_change();
  } else {
    note_change_of_any();
  }
}

void note_policy_change() {
  OfThread& mine = t_of_thread;
  mine.policy_is_known = false;
  ++mine.policy_changes;
  if (mine.worker != nullptr) {
    mine.worker->policy = Moment::kNever;
  }
}

const MemoryPolicy* policy_of_self() {
  OfThread& mine = t_of_thread;
  mine.policy_is_known = mine.policy_is_known || mine.policy.read();
  return mine.policy_is_known ? &mine.policy : nullptr;
}

void adopt_policy(const MemoryPolicy& policy) {
  OfThread& mine = t_of_thread;
  policy.adopt();
  mine.policy = policy;
  mine.policy_is_known = true;
  ++mine.policy_changes;
}

// The kernel expects the number of nodes plus one.

bool MemoryPolicy::read() {
  const support::ErrnoKept errno_kept;
  return support::system_call(SYS_get_mempolicy, &mode_, nodes_, kNodes + 1, nullptr, 0) == 0;
}

void MemoryPolicy::adopt() const {
  const support::ErrnoKept errno_kept;
  support::system_call(SYS_set_mempolicy, mode_, nodes_, kNodes + 1);
}

}  // namespace nestbind::workers
