// SPDX-License-Identifier: BSD-3-Clause
// How a worker waits between two calls, and what other threads can see of its wait.
//
// A waiting worker must not take a signal that all threads of the program block. A worker that
// sleeps, or has spun for a moment, blocks all signals. A worker that has just begun to spin still
// has the signal mask of its primary thread: a change of this mask would be most of the cost of a
// repeated fork. When any thread changes its mask, the worker blocks all signals (quiet.hpp).
#pragma once

#include <signal.h>
#include <stdint.h>

#include <atomic>

namespace nestbind::workers {

// The low bits of a worker's word. The bits above count calls. These threads may write:
//   primary thread   awake, asleep -> awake with one more call; any -> dismissed; gone -> free
//   the worker       awake -> asleep; awake, asleep -> ending; ending -> gone; dismissed -> free
//   other threads    awake, asleep -> ending; free -> gone, and become the primary thread
enum State : uint32_t {
  kAwake,
  kAsleep,
  kDismissed,  // its primary thread has given it up
  kEnding,     // it ends after its call, and its primary thread does not know yet
  kGone,       // no thread runs
  kFree,       // has no primary thread
};
inline constexpr uint32_t kStates = 7;
inline constexpr uint32_t kOneCall = 8;
constexpr State state_of(uint32_t word) { return static_cast<State>(word & kStates); }
constexpr uint32_t calls_of(uint32_t word) { return word & ~kStates; }
constexpr bool runs_on(uint32_t word) { return state_of(word) <= kAsleep; }

// How often threads have changed their signal masks.
extern constinit std::atomic<unsigned> g_mask_changes;  // read inline at every call

class Idle {
 public:
  // Must be called on the worker's thread, at its beginning.
  void begin();

  // Waits after call number `calls` for the next call or for the worker's end. The worker ends if
  // another thread says so in the word, or after a long wait. Returns the word. changes:
  // g_mask_changes before the call.
  uint32_t wait(std::atomic<uint32_t>& word, uint32_t calls, unsigned changes);

  // The thread was asked to end. From now on the program's destructors run.
  void leave();

  // For a thread that has not begun to run destructors when the process exits. Does not return.
  [[noreturn]] void stay();

  // For other threads. Whether the worker has done call number `calls`, and waits for the next.
  bool is_behind(uint32_t calls) const { return (phase_.load() & ~kFlags) == calls; }
  bool is_quiet() const { return (phase_.load() & kQuiet) != 0; }
  bool stays() const { return (phase_.load() & kStays) != 0; }
  // From now on no thread waits until this worker blocks signals: in a handler it cannot do this.
  void pretend_quiet() { phase_.fetch_or(kQuiet); }
  // Whether the thread exists; it may be about to end. Asks the kernel.
  bool has_thread();
  // When the thread began to end, in milliseconds; 0: not yet.
  long left_at() const { return left_at_.load(std::memory_order_relaxed); }

  // In a forked child: the thread does not exist.
  void forget();

 private:
  static constexpr uint32_t kFlags = 7;
  static constexpr uint32_t kQuiet = 1;  // all signals are blocked
  static constexpr uint32_t kStays = 2;

  // is_over: set to true if the worker was idle too long.
  uint32_t spin(const std::atomic<uint32_t>& word, uint32_t calls, unsigned changes, bool& is_over);
  uint32_t sleep(std::atomic<uint32_t>& word, uint32_t calls, long seconds);
  void block_signals();
  void give_signals_back();

  std::atomic<uint32_t> phase_{kQuiet};  // number of the last finished call, and flags
  std::atomic<int> thread_{0};           // its kernel number; 0: none
  std::atomic<long> left_at_{0};
  bool blocks_ = false;
  uint64_t mask_ = 0;  // the mask to restore after a block
};

void wake(std::atomic<uint32_t>& word);

// Whether the calling thread is an ending worker, inside a destructor of the program.
bool self_leaves();

// How many workers' threads have ended in the kernel. Counts only what has_thread() has found.
unsigned departures();

}  // namespace nestbind::workers
