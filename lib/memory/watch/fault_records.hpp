// SPDX-License-Identifier: BSD-3-Clause
// The records of page faults, as the kernel writes them into a ring (perf_event_open(2), "MMAP
// layout"). Pure: bytes in, samples out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nestbind::memory {

// Of the faulting thread's stack, from its stack pointer on: enough for what a function that has
// pushed nothing, such as memset, returns to.
inline constexpr int kStackWords = 8;

// A page fault, or with a larger weight the last of so many of one thread.
struct Sample {
  std::uint64_t code = 0;  // the address of the instruction
  std::uint32_t process = 0;
  std::uint32_t thread = 0;  // the kernel's number
  std::uint64_t address = 0;
  std::uint32_t processor = 0;
  std::uint64_t time = 0;  // nanoseconds of one clock for all processors
  std::uint64_t weight = 1;
  std::uint64_t stack[kStackWords] = {};
  int stack_words = 0;  // as many were there
};

// Reads the next record of a ring's bytes, those from `tail` up to `head` (both count on, without
// end; ring.size() is a power of two), and moves `tail` behind it.
enum class Record { kNone, kSample, kLost, kOther };
// kSample: `sample` is filled. kLost: sample.weight is how many were lost. kNone: there is none, or
// what is there is none, and `tail` is `head` then.
Record next_record(std::span<const unsigned char> ring, std::uint64_t& tail, std::uint64_t head,
                   Sample& sample);

}  // namespace nestbind::memory
