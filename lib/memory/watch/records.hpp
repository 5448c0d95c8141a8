// SPDX-License-Identifier: BSD-3-Clause
// The records of page faults and of what a process does to its memory, as the kernel writes them
// into a ring (perf_event_open(2), "MMAP layout"). Pure: bytes in, records out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nestbind::memory::watch {

#if defined(__aarch64__)
inline constexpr std::uint64_t kRegisters = (std::uint64_t{1} << 33) - 1;  // x0 to x30, sp, pc
inline constexpr int kStackPointer = 31;
#else
inline constexpr std::uint64_t kRegisters = 0xff0fff;  // of asm/perf_regs.h, without segments
inline constexpr int kStackPointer = 7;
#endif
inline constexpr int kMostRegisters = 33;

// Of the faulting thread's stack, from its stack pointer on.
inline constexpr std::uint32_t kStackBytes = 512;

// What sample_type of the events has to be; what read_record() reads follows from it.
std::uint64_t sample_type();

struct Record {
  enum class Kind { kNone, kFault, kMapping, kFork, kExit, kExec, kLost, kOther };
  Kind kind = Kind::kNone;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint64_t time = 0;  // nanoseconds of CLOCK_MONOTONIC
  std::uint32_t processor = 0;
  std::uint64_t weight = 1;  // kFault: it stands for so many; kLost: so many are lost

  // kFault
  std::uint64_t code = 0;
  std::uint64_t address = 0;
  std::uint64_t registers[kMostRegisters] = {};  // by the kernel's numbers
  std::vector<std::uint8_t> stack;

  // kMapping: from address on; kFork: the parent
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t inode = 0;   // 0: no file
  bool is_code = false;
  bool is_writable = false;
  std::string name;  // of the file; kExec: of the program
  std::uint32_t parent = 0;
};

// Reads the next record of a ring's bytes, those from `tail` up to `head` (both count on, without
// end; ring.size() is a power of two), and moves `tail` to its end. Returns false if there is none,
// or if what is there is none; `tail` is `head` then.
bool next_record(std::span<const unsigned char> ring, std::uint64_t& tail, std::uint64_t head,
                 Record& record);

}  // namespace nestbind::memory::watch
