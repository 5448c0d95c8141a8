// SPDX-License-Identifier: BSD-3-Clause
// The process's mappings, as /proc/self/maps tells them (proc(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/kernel/pages.hpp"

namespace nestbind::memory::kernel {

struct Mapping {
  Range range;
  int protection = 0;  // PROT_* of sys/mman.h
  friend bool operator==(const Mapping& a, const Mapping& b) {
    return a.range.begin == b.range.begin && a.range.end == b.range.end &&
           a.protection == b.protection;
  }
};

// One line; none where it is none.
std::optional<Mapping> parse_mapping(const std::string& line);

// All of them, ascending; empty where they cannot be read. Throws std::bad_alloc only.
std::vector<Mapping> read_mappings();

// The mappings that are locked (mlock), as /proc/self/smaps tells. Reading it takes the kernel a
// walk through all pages of the process. Throws std::bad_alloc only.
std::vector<Range> read_locked();

// Whether there may be transparent huge pages, and whether the kernel makes them of all that it
// can.
bool may_be_huge();
bool is_huge_usual();

// Of a huge page, in bytes; a power of two.
std::size_t huge_bytes();

// The parts of a range that mappings have, each with its mapping's protection. mappings: ascending.
std::vector<Mapping> in_range(const std::vector<Mapping>& mappings, const Range& range);

}  // namespace nestbind::memory::kernel
