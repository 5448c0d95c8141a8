// SPDX-License-Identifier: BSD-3-Clause
// Which code a page fault is told of: where that is a function of the C library, such as memset, or
// of ours, what called it. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "memory/watch/fault_records.hpp"

namespace nestbind::memory {

// Addresses with code of one file.
struct Text {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_helper = false;  // of the C library, or ours
};

// An address behind the instruction, or behind a byte of it, as what a call returns to is: the line
// is that of the byte before. In a helper: the first word of the stack that is code of another
// file, where there is one; functions such as memset push nothing before they touch memory.
std::uint64_t code_of(const Sample& sample, std::span<const Text> texts);

// Whether the functions of a file, such as /usr/lib/libc.so.6, are told by who called them.
bool is_helper(std::string_view file);

}  // namespace nestbind::memory
