// SPDX-License-Identifier: BSD-3-Clause
// The thread that takes what was counted, four to a hundred times a second, by how full the rings
// are, and looks at the regions now and then. It has the mask that its creator has, gives way to
// all others (SCHED_BATCH), takes no signals and no memory of the program's allocator, and uses
// less than a hundredth of a processor: behind a look that has taken long there is a pause a
// hundred times as long.
#pragma once

#include <pthread.h>

#include <atomic>

#include "memory/module/applying.hpp"
#include "memory/module/gathering.hpp"
#include "memory/module/on_demand.hpp"

namespace nestbind::memory {

class Sampler {
 public:
  // most_seconds: after so many it stops counting by itself; 0: never. applying: what moves memory;
  // null: nothing does. on_demand: who asks meanwhile is answered.
  Sampler(Gathering& gathering, int most_seconds, Applying* applying, OnDemand& on_demand)
      : gathering_(gathering),
        most_seconds_(most_seconds),
        applying_(applying),
        on_demand_(on_demand) {}

  // Makes the thread, which waits. Returns 0, or an error.
  int start();
  // It begins: what it gathers is its own from now on.
  void go();
  // Ends it, and waits for it, ten seconds at most. Returns whether it has ended: if not, what it
  // gathers is not to be touched.
  bool stop();

  // Likewise: whether that was by itself.
  bool has_finished() const { return has_finished_; }
  double seconds() const { return seconds_; }  // of processor time, once it has ended
  static double seconds_so_far();              // likewise, for the thread itself

 private:
  static void* run(void* self);
  void loop();

  Gathering& gathering_;
  const int most_seconds_;
  Applying* const applying_;
  OnDemand& on_demand_;
  bool has_finished_ = false;
  std::atomic<int> state_{0};  // kRunning ...; a futex
  double seconds_ = 0;
};

}  // namespace nestbind::memory
