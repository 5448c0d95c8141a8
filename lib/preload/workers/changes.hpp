// SPDX-License-Identifier: BSD-3-Clause
// What threads change of themselves and of each other. A new thread inherits most of that from its
// creator, and has nothing of its predecessor's; a kept one would be different. So each change is
// counted: a worker that was made before a change of its primary thread's is not used again, nor is
// one that has changed itself.
//
// The functions that note may be called anywhere: in signal handlers, before constructors, in a
// child of vfork.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace nestbind::workers {

// The calling thread has changed something of its own that threads inherit: its name, scheduling,
// namespaces. (Of its signal mask: quiet.hpp.)
void note_change();

// It has changed something that threads do not inherit: its alternate signal stack, its
// cancellation.
void note_own_change();

// Something that threads inherit has been changed, of a thread by its identifier in the kernel (0:
// the calling one) or by its handle; other processes' are none of ours. Or of threads that are not
// known one by one.
void note_change_of(pid_t thread);
void note_change_of_handle(pthread_t thread);
void note_change_of_any();

// The calling thread has changed its memory policy, which is handed on to its workers.
void note_policy_change();

// When a worker was made, as the numbers of changes until then; or the calling thread's now. A
// worker that has changed itself has a number that nobody has.
struct Moment {
  static constexpr unsigned kNever = ~0U;
  unsigned process = 0;  // changes of any thread by others
  unsigned thread = 0;   // of the primary thread by itself
  unsigned policy = 0;   // of the primary thread's memory policy; of what was handed on last
  bool is_as_old(const Moment& now) const { return process == now.process && thread == now.thread; }
};

// Where the kernel takes a thread's memory from (set_mempolicy): new threads inherit it.
class MemoryPolicy {
 public:
  // The calling thread's. Returns false where the kernel does not tell. Keeps errno.
  bool read();

  // Makes it the calling thread's. Keeps errno.
  void adopt() const;

 private:
  // As many as the kernel ever has.
  static constexpr unsigned long kNodes = 1024;
  static constexpr unsigned long kBits = 8 * sizeof(unsigned long);

  int mode_ = 0;  // with its flags
  unsigned long nodes_[kNodes / kBits] = {};
};

struct OfThread {
  unsigned changes;
  unsigned policy_changes;
  Moment* worker;  // when it was made, if the thread is a worker
  bool policy_is_known;
  MemoryPolicy policy;
};
extern constinit thread_local OfThread t_of_thread __attribute__((tls_model("initial-exec")));
extern constinit std::atomic<unsigned> g_changes_of_any;

inline Moment now() {
  const OfThread& mine = t_of_thread;
  return {g_changes_of_any.load(std::memory_order_acquire), mine.changes, mine.policy_changes};
}

// The calling thread's memory policy, which stays where it is; null where the kernel does not
// tell.
const MemoryPolicy* policy_of_self();

// A worker takes its primary thread's over.
void adopt_policy(const MemoryPolicy& policy);

}  // namespace nestbind::workers
