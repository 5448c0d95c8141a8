// SPDX-License-Identifier: BSD-3-Clause
// A process's mappings, as /proc/PID/maps lists them (proc(5)).
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
  bool is_private = true;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t inode = 0;   // of the file; 0: there is none
  std::string name = {};     // of the file, or the kernel's name: "[heap]"
  friend bool operator==(const Mapping& a, const Mapping& b) {
    return a.range.begin == b.range.begin && a.range.end == b.range.end &&
           a.protection == b.protection;
  }
};

// Reads one line; none if it is not a mapping.
std::optional<Mapping> parse_mapping(const std::string& line);

// All mappings, ascending; empty if unreadable. process: 0: this one. Throws only std::bad_alloc.
std::vector<Mapping> read_mappings(int process = 0);

// The size of a huge page in bytes; a power of two.
std::size_t huge_bytes();

// The mapped parts of a range, each with its mapping's protection. mappings: ascending.
std::vector<Mapping> in_range(const std::vector<Mapping>& mappings, const Range& range);

}  // namespace nestbind::memory::kernel
