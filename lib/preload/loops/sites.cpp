// SPDX-License-Identifier: BSD-3-Clause
#include "loops/sites.hpp"

#include <stdlib.h>

namespace nestbind::loops {
namespace {

// An entry points to this array if its site could not be made, or was freed.
alignas(Site) constinit char g_none[1] = {};
Site* none() { return reinterpret_cast<Site*>(g_none); }

std::uint64_t key_of(std::uintptr_t address, std::uint64_t team, int threads) {
  std::uint64_t key = address * 0x9e3779b97f4a7c15 ^ team;
  key ^= static_cast<std::uint64_t>(threads) << 48;
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93;  // odd, and spreads low bits well
  key ^= key >> 32;
  return key == 0 ? 1 : key;
}

Site* make_site(std::uintptr_t address, std::uint64_t team, int threads, void*& memory) {
  memory = nullptr;
  if (posix_memalign(&memory, alignof(Site), Site::bytes(threads)) != 0) {
    return none();
  }
  return Site::make(memory, address, team, threads);
}

}  // namespace

bool Sites::is_site(const Site* site) { return site != nullptr && site != none(); }

// Several members may make a site at the same time. The entry keeps the first of these sites.
Site* Sites::site_of(Entry& entry, std::uintptr_t address, std::uint64_t team, int threads) {
  Site* site = entry.site.load(std::memory_order_acquire);
  if (site == nullptr) {
    void* memory = nullptr;
    Site* mine = make_site(address, team, threads, memory);
    if (entry.site.compare_exchange_strong(site, mine, std::memory_order_acq_rel)) {
      site = mine;
      bytes_.fetch_add(is_site(mine) ? Site::bytes(threads) : 0, std::memory_order_relaxed);
    } else {
      free(memory);
    }
  }
  return is_site(site) && site->is_of(address, team, threads) ? site : nullptr;
}

Site* Sites::find(std::uintptr_t address, std::uint64_t team, int threads) {
  const std::uint64_t key = key_of(address, team, threads);
  for (int step = 0; step < kPlaces; ++step) {
    Entry& entry = entries_[(key + static_cast<std::uint64_t>(step)) % kSize];
    std::uint64_t there = entry.key.load(std::memory_order_relaxed);
    if (there == 0 && entry.key.compare_exchange_strong(there, key, std::memory_order_relaxed)) {
      there = key;
      was_used_.store(true, std::memory_order_relaxed);
    }
    if (there == key) {
      return site_of(entry, address, team, threads);
    }
  }
  was_full_.store(true, std::memory_order_relaxed);
  return nullptr;
}

void Sites::forget(std::uint64_t team) {
  for (Entry& entry : entries_) {
    Site* const site = entry.site.load(std::memory_order_acquire);
    if (is_site(site) && site->team() == team) {
      entry.site.store(none(), std::memory_order_release);
      bytes_.fetch_sub(Site::bytes(site->threads()), std::memory_order_relaxed);
      free(site->more_memory());
      free(site);
    }
  }
}

}  // namespace nestbind::loops
