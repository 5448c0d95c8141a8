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
  std::uint64_t offset = 0;
  std::uint64_t inode = 0;  // of the file; 0 if there is no file
  std::string name = {};
};

std::optional<Mapping> parse_mapping(const std::string& line);

// Returns all mappings, ascending, or none if they cannot be read. Throws only std::bad_alloc.
std::vector<Mapping> read_mappings(int process);

// Returns the size of a huge page in bytes, which is a power of two.
std::size_t huge_bytes();

}  // namespace nestbind::memory::kernel
