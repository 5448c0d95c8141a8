// SPDX-License-Identifier: BSD-3-Clause
// The loops that have been measured: one table for the process, of fixed size and without a lock.
// An entry is never reused for another loop. So all threads find the same site, or no site.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loops/site.hpp"

namespace nestbind::loops {

class Sites {
 public:
  static constexpr int kSize = 8192;
  // The number of entries that a loop may use. This number is small, so that a failing search is
  // short. In a half-full table, every loop finds an entry.
  static constexpr int kPlaces = 64;

  constexpr Sites() = default;

  // The first call allocates the site. `address` is unique for the loop, and `team` for the team.
  // Both numbers are not 0, and `team` is never reused for another team. Returns null if all
  // entries for the loop are taken, or there is no memory. Also returns null if another loop has
  // the same key (probability 2^-64). If one call returns null, all later calls for this loop
  // return null, for all members.
  Site* find(std::uintptr_t address, std::uint64_t team, int threads);

  // The team must have ended. No thread may call each() at the same time. The entries stay taken.
  void forget(std::uint64_t team);

  // The bytes of all sites, without the memory of owners (Ownership).
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  template <typename Visit>
  void each(Visit visit) const {
    for (const Entry& entry : entries_) {
      Site* site = entry.site.load(std::memory_order_acquire);
      if (is_site(site)) {
        visit(static_cast<const Site&>(*site));
      }
    }
  }

  bool is_empty() const { return !was_used_.load(std::memory_order_relaxed); }

  bool was_full() const { return was_full_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    std::atomic<std::uint64_t> key{0};  // of the loop and the team; 0: free
    std::atomic<Site*> site{nullptr};   // written after the key
  };
  static bool is_site(const Site* site);
  Site* site_of(Entry& entry, std::uintptr_t address, std::uint64_t team, int threads);

  Entry entries_[kSize];
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> was_used_{false};
  std::atomic<bool> was_full_{false};
};

}  // namespace nestbind::loops
