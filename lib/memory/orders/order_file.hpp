// SPDX-License-Identifier: BSD-3-Clause
// The command writes orders into this file, and the library in the program obeys them. A process
// can set only its own memory policies.
#pragma once

#include <stdio.h>

#include <atomic>
#include <cstdint>

#include "support/file_bytes.hpp"
#include "support/stat_line.hpp"

namespace nestbind::memory {

// In a watched program, the value of NESTBIND_MEMORY is this word and then the file's name.
inline constexpr char kOrdersWord[] = "orders:";

struct Order {
  static constexpr int kMostNodes = 1024;
  static constexpr int kWordBits = 64;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::int32_t process = 0;
  std::uint32_t is_interleaved = 0;  // 1: interleave over the nodes; 0: the default policy
  std::uint64_t nodes[kMostNodes / kWordBits] = {};
  std::atomic<std::int32_t> answer{-1};  // -1 until mbind(2) returns
};

// Returns when a process was started, in ticks, or 0 if it has ended.
inline std::uint64_t start_of(int process) {
  char name[64];
  char line[1024] = "";
  snprintf(name, sizeof name, "/proc/%d/stat", process);
  support::File(name).next(line, sizeof line - 1);
  return support::stat_number(line, support::kStartTicks);
}

struct OrderFile {
  static constexpr std::uint64_t kMagic = 0x31736f726465726eU;
  static constexpr std::uint32_t kMost = 256;
  std::uint64_t magic = kMagic;
  std::int32_t owner = 0;  // the process that watches
  std::uint64_t owner_started = 0;
  std::atomic<std::uint32_t> count{0};
  Order orders[kMost];
};

// The library reads and obeys orders.
inline constinit std::atomic<OrderFile*> g_orders{nullptr};

// Maps the file if it belongs to this user, and the command is still running.
void take_orders(const char* name);

void obey_new_orders();

inline bool has_orders() { return g_orders.load(std::memory_order_relaxed) != nullptr; }
inline void obey_orders() {
  if (has_orders()) [[unlikely]] {
    obey_new_orders();
  }
}

}  // namespace nestbind::memory
