// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_MEMORY=apply: what is gathered goes to apply/keeper interval by interval, and the kernel
// is what it asks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "memory/apply/keeper.hpp"
#include "memory/module/gathering.hpp"

namespace nestbind::memory {

// The kernel, as apply/world.hpp wants it.
class KernelsWorld;

class Applying final : public HintSink {
 public:
  // every: milliseconds. gathering outlives this.
  Applying(Gathering& gathering, int every, bool always);
  ~Applying() override;

  // Once the gathering has begun: whether there is anything to be moved here. It is told who uses
  // which page, and there are nodes to choose from.
  bool begin();

  // For the thread that samples: what was drained is judged, where it is time for that. seconds:
  // of a clock that only goes forward. Where there is no memory for it, it moves nothing more.
  void step(double seconds);
  void hint(std::uint64_t address, int index) override;

  // No move begins from now on. From any thread.
  void end() { goes_on_.store(false, std::memory_order_relaxed); }

  // Once that thread has ended. look(): the figures anew. record(): null where there was no
  // interval. Throws std::bad_alloc.
  void look();
  const apply::Record* record() const;
  bool has_no_memory() const { return has_no_memory_; }
  bool is_working() const { return is_working_; }
  std::uint64_t lost() const;  // samples for which there was no room

 private:
  void make();
  void note_scans();
  std::vector<apply::Found> found() const;

  Gathering& gathering_;
  const double every_;  // seconds
  const bool always_;
  bool is_working_ = false;
  bool has_no_memory_ = false;
  bool has_hints_ = false;  // since the latest scan
  double next_ = 0;
  double last_ = 0;
  long scan_ = -1;  // the kernel's number of it; -1: it does not tell
  std::atomic<bool> goes_on_{true};
  std::unique_ptr<KernelsWorld> world_;
  std::unique_ptr<apply::Keeper> keeper_;
};

}  // namespace nestbind::memory
