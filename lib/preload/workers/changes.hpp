// SPDX-License-Identifier: BSD-3-Clause
// Counts how often threads change settings. A new thread inherits most settings from its creator,
// but a kept worker has the settings of its creation. A worker is not used again if the worker or
// its primary thread has changed settings after the worker's creation. The same holds if any thread
// has since changed settings of another thread.
//
// The note_ functions may be called anywhere: in signal handlers, before constructors, after vfork.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace nestbind::workers {

// Notes that the calling thread has changed its name, scheduling or namespaces. New threads inherit
// these settings. For changes of the signal mask see quiet.hpp.
void note_change();

// Notes that the calling thread has changed its alternate signal stack, or its cancellation
// settings. New threads do not inherit these settings.
void note_own_change();

// Notes that some thread has changed the settings of `thread`. The kernel's number 0 means the
// calling thread. If the changed thread is not known, call note_change_of_any().
void note_change_of(pid_t thread);
void note_change_of_handle(pthread_t thread);
void note_change_of_any();

// Notes that the calling thread has changed its memory policy. The thread's workers copy this
// policy.
void note_policy_change();

// The numbers of changes at one moment. A worker that changes its own settings writes kNever.
struct Moment {
  static constexpr unsigned kNever = ~0U;
  unsigned process = 0;  // changes of other threads' settings
  unsigned thread = 0;   // changes of the primary thread's settings
  unsigned policy = 0;   // changes of the primary thread's memory policy, as far as copied
  bool is_as_old(const Moment& now) const { return process == now.process && thread == now.thread; }
};

class MemoryPolicy {
 public:
  // Keeps errno.
  bool read();

  // Keeps errno.
  void adopt() const;

 private:
  // The kernel never has more NUMA nodes.
  static constexpr unsigned long kNodes = 1024;
  static constexpr unsigned long kBits = 8 * sizeof(unsigned long);

  int mode_ = 0;
  unsigned long nodes_[kNodes / kBits] = {};
};

struct OfThread {
  unsigned changes;
  unsigned policy_changes;
  Moment* worker;  // numbers at the worker's creation, or null
  bool policy_is_known;
  MemoryPolicy policy;
};
extern constinit thread_local OfThread t_of_thread __attribute__((tls_model("initial-exec")));
extern constinit std::atomic<unsigned> g_changes_of_any;

inline Moment now() {
  const OfThread& mine = t_of_thread;
  return {g_changes_of_any.load(std::memory_order_acquire), mine.changes, mine.policy_changes};
}

// Returns the calling thread's memory policy, which is never freed, or null if it is not known.
const MemoryPolicy* policy_of_self();

void adopt_policy(const MemoryPolicy& policy);

}  // namespace nestbind::workers
