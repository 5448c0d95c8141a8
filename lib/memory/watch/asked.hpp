// SPDX-License-Identifier: BSD-3-Clause
// On which nodes a region's pages are, from some of them, all over it, that the kernel was asked
// for. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/watch/touches.hpp"

namespace nestbind::memory {

inline constexpr std::size_t kMostAsked = 512;

// In place of an index: the page is not there; or it is, and the kernel tells no node of it, since
// it waits for its hint fault (Linux 6.1 to 6.5).
inline constexpr std::int16_t kIsAbsent = -1;
inline constexpr std::int16_t kIsHidden = -2;

// A hidden page is where it was when it was asked for before: `before` has the answers of then to
// the same questions, or is empty where there were none. Behind this those stay hidden that were
// never seen.
void settle_hidden(std::span<std::int16_t> asked, std::span<const std::int16_t> before);

struct Whereabouts {
  std::uint64_t there = 0;                         // bytes
  std::uint64_t bytes_on[kMostCountedNodes] = {};  // of these
};

// Of a region of so many bytes. What is still hidden is there, and shared out as the rest is; where
// nothing is known of the rest, bytes_on is 0.
Whereabouts whereabouts_of(std::uint64_t bytes, std::span<const std::int16_t> asked);

}  // namespace nestbind::memory
