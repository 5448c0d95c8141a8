// SPDX-License-Identifier: BSD-3-Clause
// How a worker waits between two calls, and what other threads can see of that.
//
// A worker that waits is not to be noticed: no signal comes to it that no thread of the program
// would take. One that sleeps, or has spun for a moment, blocks all signals. One that has just
// begun to spin has the mask of its primary thread, and so may take what its primary thread may:
// blocking would be most of what a repeated fork costs. When any thread changes its mask, it blocks
// all (quiet.hpp).
#pragma once

#include <signal.h>
#include <stdint.h>

#include <atomic>

namespace nestbind::workers {

// The low bits of a worker's word; above them, calls are counted. Who may write, and what:
//   its primary thread   awake, asleep -> awake with one more call; any -> dismissed; gone -> free
//   itself       awake -> asleep; awake, asleep -> ending; ending -> gone; dismissed -> free
//   others       awake, asleep -> ending; free -> gone, and then they are its primary thread
enum State : uint32_t {
  kAwake,
  kAsleep,
  kDismissed,  // its primary thread does not know it any more
  kEnding,     // it ends when its call is done, and its primary thread does not know of that yet
  kGone,       // no thread runs
  kFree,       // nobody's
};
inline constexpr uint32_t kStates = 7;
inline constexpr uint32_t kOneCall = 8;
constexpr State state_of(uint32_t word) { return static_cast<State>(word & kStates); }
constexpr uint32_t calls_of(uint32_t word) { return word & ~kStates; }
constexpr bool runs_on(uint32_t word) { return state_of(word) <= kAsleep; }

// How often threads have changed what signals they block.
extern constinit std::atomic<unsigned> g_mask_changes;  // read inline at every call

class Idle {
 public:
  // On the worker's thread, when it begins.
  void begin();

  // Waits behind call number `calls` until there is another, or the worker is to end: by the word,
  // or by itself when it has waited long enough. Returns the word. changes: of masks, as they were
  // counted before the call.
  uint32_t wait(std::atomic<uint32_t>& word, uint32_t calls, unsigned changes);

  // The thread has been told to end, and does so from now on: the program's destructors run.
  void leave();

  // The process exits, and the thread has not begun to run destructors. Does not return.
  [[noreturn]] void stay();

  // For others. Whether it has done call number `calls`, and waits for the next.
  bool is_behind(uint32_t calls) const { return (phase_.load() & ~kFlags) == calls; }
  bool is_quiet() const { return (phase_.load() & kQuiet) != 0; }
  bool stays() const { return (phase_.load() & kStays) != 0; }
  // Others need not wait until it blocks signals: it would not come to that, in a signal handler.
  void pretend_quiet() { phase_.fetch_or(kQuiet); }
  // Whether there is a thread, which may be about to end. Asks the kernel.
  bool has_thread();
  // When the thread has begun to end, in milliseconds; 0: not yet.
  long left_at() const { return left_at_.load(std::memory_order_relaxed); }

  // In a forked child: no thread is there.
  void forget();

 private:
  static constexpr uint32_t kFlags = 7;
  static constexpr uint32_t kQuiet = 1;  // all signals are blocked
  static constexpr uint32_t kStays = 2;

  // is_over: it has spun for as long as a worker may be idle.
  uint32_t spin(const std::atomic<uint32_t>& word, uint32_t calls, unsigned changes, bool& is_over);
  uint32_t sleep(std::atomic<uint32_t>& word, uint32_t calls, long seconds);
  void block_signals();
  void give_signals_back();

  std::atomic<uint32_t> phase_{kQuiet};  // the last call that is done, and flags
  std::atomic<int> thread_{0};           // its kernel's number; 0: none
  std::atomic<long> left_at_{0};
  bool blocks_ = false;
  uint64_t mask_ = 0;  // of before, while it blocks
};

// Wakes a thread that sleeps on its word.
void wake(std::atomic<uint32_t>& word);

// Whether the calling thread is a worker that ends, in a destructor of the program's.
bool self_leaves();

// How many threads of workers the kernel has let go, as far as somebody has asked.
unsigned departures();

}  // namespace nestbind::workers
