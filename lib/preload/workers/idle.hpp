// SPDX-License-Identifier: BSD-3-Clause
// Makes a worker wait between two calls. Other threads can read the state of the worker.
//
// A waiting worker must not take a signal that all threads of the program block. A worker that
// sleeps, or has spun for a moment, blocks all signals. A worker that has just begun to spin still
// has the signal mask of its primary thread. The worker keeps this mask at first, because a change
// of the mask would make a repeated fork slow. When any thread changes its mask, the worker blocks
// all signals (quiet.hpp).
#pragma once

#include <signal.h>
#include <stdint.h>

#include <atomic>

namespace nestbind::workers {

// The low bits of a worker's word are the state. The high bits count the calls.
//
// The primary thread makes these changes:
//   awake, asleep -> awake, with one more call
//   any state -> dismissed
//   gone -> free
// The worker makes these changes:
//   awake -> asleep
//   awake, asleep -> ending
//   ending -> gone
//   dismissed -> free
// Other threads make these changes:
//   awake, asleep -> ending
//   free -> gone, for a new primary thread
enum State : uint32_t {
  kAwake,
  kAsleep,
  kDismissed,  // the primary thread does not use the worker any more
  kEnding,     // the worker ends after its call; the primary thread has not seen this yet
  kGone,       // no thread runs
  kFree,       // has no primary thread
};
inline constexpr uint32_t kStates = 7;
inline constexpr uint32_t kOneCall = 8;
constexpr State state_of(uint32_t word) { return static_cast<State>(word & kStates); }
constexpr uint32_t calls_of(uint32_t word) { return word & ~kStates; }
constexpr bool runs_on(uint32_t word) { return state_of(word) <= kAsleep; }

extern constinit std::atomic<unsigned> g_mask_changes;

class Idle {
 public:
  void begin();

  // Waits for the next call or for the worker's end. `calls` is the number of the last call.
  // `changes` is g_mask_changes before the last call.
  uint32_t wait(std::atomic<uint32_t>& word, uint32_t calls, unsigned changes);

  // Called when the worker's thread ends, before the program's destructors run on it.
  void leave();

  // Stops the calling thread without destructors, because the process exits.
  [[noreturn]] void stay();

  // True if the worker has finished call number `calls` and waits.
  bool is_behind(uint32_t calls) const { return (phase_.load() & ~kFlags) == calls; }
  bool is_quiet() const { return (phase_.load() & kQuiet) != 0; }
  bool stays() const { return (phase_.load() & kStays) != 0; }
  // A worker in a signal handler cannot block signals. After this call, other threads do not wait
  // for the worker.
  void pretend_quiet() { phase_.fetch_or(kQuiet); }
  bool has_thread();
  // Returns the time of leave() in milliseconds, or 0.
  long left_at() const { return left_at_.load(std::memory_order_relaxed); }

  // Called in a forked child.
  void forget();

 private:
  static constexpr uint32_t kFlags = 7;
  static constexpr uint32_t kQuiet = 1;  // all signals are blocked
  static constexpr uint32_t kStays = 2;

  uint32_t spin(const std::atomic<uint32_t>& word, uint32_t calls, unsigned changes, bool& is_over);
  uint32_t sleep(std::atomic<uint32_t>& word, uint32_t calls, long seconds);
  void block_signals();
  void give_signals_back();

  std::atomic<uint32_t> phase_{kQuiet};  // number of the last finished call, and flags
  std::atomic<int> thread_{0};           // its kernel number; 0: none
  std::atomic<long> left_at_{0};
  bool blocks_ = false;
  uint64_t mask_ = 0;  // signal mask to restore after the wait
};

void wake(std::atomic<uint32_t>& word);

// True if the calling thread is an ending worker, inside a destructor of the program.
bool self_leaves();

// Returns the number of ended threads that has_thread() has found.
unsigned departures();

}  // namespace nestbind::workers
