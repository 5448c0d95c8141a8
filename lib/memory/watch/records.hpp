// SPDX-License-Identifier: BSD-3-Clause
// The kernel's records of page faults and of changes to a process's memory (perf_event_open(2)).
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
inline constexpr std::uint64_t kRegisters = 0xff0fff;  // as in asm/perf_regs.h, without segments
inline constexpr int kStackPointer = 7;
#endif
inline constexpr int kMostRegisters = 33;

// How many bytes of the faulting thread's stack are copied, from its stack pointer on.
inline constexpr std::uint32_t kStackBytes = 512;

std::uint64_t sample_type();

struct Record {
  enum class Kind { kNone, kFault, kMapping, kFork, kExec, kLost, kOther };
  Kind kind = Kind::kNone;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint64_t time = 0;  // nanoseconds of CLOCK_MONOTONIC
  std::uint32_t processor = 0;
  std::uint64_t weight = 1;  // kFault: number of represented faults; kLost: number of lost records

  // For kFault.
  std::uint64_t code = 0;
  std::uint64_t address = 0;
  std::uint64_t registers[kMostRegisters] = {};  // indexed by the kernel's numbers
  std::vector<std::uint8_t> stack;

  // For kMapping. The mapping begins at `address`.
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;
  std::uint64_t inode = 0;  // 0 if there is no file
  bool is_code = false;
  bool is_writable = false;
  std::string name;          // the file's name; kExec: the program's name
  std::uint32_t parent = 0;  // for kFork
};

// Reads a ring's next record between `tail` and `head`, and moves `tail` to its end. If there is no
// valid record, moves `tail` to `head` and returns false. ring.size() is a power of two.
bool next_record(std::span<const unsigned char> ring, std::uint64_t& tail, std::uint64_t head,
                 Record& record);

}  // namespace nestbind::memory::watch
