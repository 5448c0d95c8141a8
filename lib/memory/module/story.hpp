// SPDX-License-Identifier: BSD-3-Clause
// What there is to tell of each region: who touched it first, who uses it, and what would mend it.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/advice.hpp"
#include "memory/module/gathering.hpp"

namespace nestbind::memory {

struct Story {
  const Known* region = nullptr;
  RegionFacts facts;
  Advice advice;
  std::uint64_t there = 0;          // bytes, at most
  std::uint64_t touched_bytes = 0;  // that lay somewhere when they were first seen
  std::uint64_t code = 0;           // of most first touches; 0: not known
  interpose::CodePlace place;
  std::vector<std::uint64_t> now_on;  // by index
};

// Whether a region is told of. Of one that is just as large as those a sampled page may be missing.
inline bool is_large(const Gathering& gathering, const Known& region) {
  return 16 * region.there >= 15 * gathering.least();
}

// Of all that are large, those first that mending would help most. They know the gathering's
// regions, which have to stay as they are meanwhile. Throws std::bad_alloc.
std::vector<Story> stories_of(Gathering& gathering, Gathering::FindCode find_code);

}  // namespace nestbind::memory
