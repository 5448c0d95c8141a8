// SPDX-License-Identifier: BSD-3-Clause
// Counts how often threads change their own settings or settings of other threads. A new thread
// inherits most settings from its creator. A kept worker has older settings. So each change is
// counted: a worker is not used again if, after the worker was made, its primary thread or the
// worker itself has changed a setting, or a thread has changed settings of other threads.
//
// note_ functions may be called anywhere: in signal handlers, before constructors, after vfork.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace nestbind::workers {

// The calling thread has changed one of its settings that threads inherit: its name, scheduling or
// namespaces. quiet.hpp is for its signal mask.
void note_change();

// The thread has changed a setting that is not inherited: its alternate signal stack, cancellation.
void note_own_change();

// An inherited setting of some thread was changed. The thread is given by its kernel number (0: the
// calling thread; other processes' threads are ignored), or by its handle, or is not known.
void note_change_of(pid_t thread);
void note_change_of_handle(pthread_t thread);
void note_change_of_any();

// The calling thread has changed its memory policy, which its workers take over.
void note_policy_change();

// The counts of changes when a worker was made, or now. kNever: the worker has changed a setting.
struct Moment {
  static constexpr unsigned kNever = ~0U;
  unsigned process = 0;  // changes that threads made to other threads
  unsigned thread = 0;   // changes that the primary thread made to itself
  unsigned policy = 0;   // changes of its memory policy, up to the last copied one
  bool is_as_old(const Moment& now) const { return process == now.process && thread == now.thread; }
};

// The NUMA nodes for a thread's new memory (set_mempolicy). New threads inherit this policy.
class MemoryPolicy {
 public:
  // Reads the calling thread's policy. Returns false on failure. Keeps errno.
  bool read();

  // Sets the calling thread's policy. Keeps errno.
  void adopt() const;

 private:
  // The kernel never has more nodes.
  static constexpr unsigned long kNodes = 1024;
  static constexpr unsigned long kBits = 8 * sizeof(unsigned long);

  int mode_ = 0;  // with the mode's flags
  unsigned long nodes_[kNodes / kBits] = {};
};

struct OfThread {
  unsigned changes;
  unsigned policy_changes;
  Moment* worker;  // of a worker: when it was made
  bool policy_is_known;
  MemoryPolicy policy;
};
extern constinit thread_local OfThread t_of_thread __attribute__((tls_model("initial-exec")));
extern constinit std::atomic<unsigned> g_changes_of_any;

inline Moment now() {
  const OfThread& mine = t_of_thread;
  return {g_changes_of_any.load(std::memory_order_acquire), mine.changes, mine.policy_changes};
}

// The calling thread's memory policy, which stays at its address; null: the kernel reports none.
const MemoryPolicy* policy_of_self();

// For a worker: takes over its primary thread's policy.
void adopt_policy(const MemoryPolicy& policy);

}  // namespace nestbind::workers
