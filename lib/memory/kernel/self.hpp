// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells of this process's own memory, and what it allows here. Files are opened
// anew each time: a descriptor that stays would be the program's to close.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "support/mapped_memory.hpp"

namespace nestbind::memory::kernel {

// All of a file, such as /proc/self/maps. Returns whether it could be read. Throws std::bad_alloc.
bool read_all(const char* name, support::MappedVector<char>& text);

// Its first bytes, as many as there is room for. Returns how many; 0 where it cannot be read.
std::size_t read_beginning(const char* name, std::span<char> text);

// A number in a file, such as /proc/sys/kernel/numa_balancing; `otherwise` where it cannot be read.
long read_number(const char* name, long otherwise);

// Which pages of 4 KiB from an address on are there. Larger ones count as all of theirs. Returns
// whether the kernel tells.
bool find_present(std::uint64_t address, std::span<bool> present);
// Likewise of single pages, by their addresses.
bool are_present(std::span<const std::uint64_t> pages, std::span<bool> present);

// Reads this process's memory; false where it is not mapped, or a sandbox forbids to ask.
bool read_memory(int process, std::uint64_t address, void* into, std::size_t bytes);

}  // namespace nestbind::memory::kernel
