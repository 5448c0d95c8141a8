// SPDX-License-Identifier: BSD-3-Clause
// A cpuset may remove processors from the process's mask. This class caches the remaining mask for
// a limited time.
#pragma once

#include <atomic>
#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::binding {

// Any thread may call these functions, and no thread waits. A read is consistent if changes_ is
// even and has the same value before and after the read.
class BelievedMask {
 public:
  // Copies the remembered mask to `buffer`. Returns false if there is no valid mask.
  bool read(const mask::CpuMask& whole, long now, mask::MaskBuffer& buffer) const {
    const unsigned before = changes_.load(std::memory_order_acquire);
    if ((before & 1) != 0 || whole_.load(std::memory_order_relaxed) != whole.bits ||
        now >= until_.load(std::memory_order_relaxed)) {
      return false;
    }
    for (std::size_t i = 0; i < kWords; ++i) {
      buffer.bits[i] = words_[i].load(std::memory_order_relaxed);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return changes_.load(std::memory_order_relaxed) == before;
  }

  // If another thread is writing, does nothing.
  void write(const mask::CpuMask& whole, long until, const mask::MaskBuffer& left) {
    unsigned before = changes_.load(std::memory_order_relaxed);
    if ((before & 1) != 0 ||
        !changes_.compare_exchange_strong(before, before + 1, std::memory_order_relaxed)) {
      return;
    }
    std::atomic_thread_fence(std::memory_order_release);
    whole_.store(whole.bits, std::memory_order_relaxed);
    until_.store(until, std::memory_order_relaxed);
    for (std::size_t i = 0; i < kWords; ++i) {
      words_[i].store(left.bits[i], std::memory_order_relaxed);
    }
    changes_.store(before + 2, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kWords = mask::kMaxCpus / mask::kWordBits;

  std::atomic<unsigned> changes_{0};
  std::atomic<const unsigned long*> whole_{nullptr};  // the bits of process::original_mask()
  std::atomic<long> until_{0};                        // milliseconds
  std::atomic<unsigned long> words_[kWords]{};
};

}  // namespace nestbind::binding
