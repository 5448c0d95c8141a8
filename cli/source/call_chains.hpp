// SPDX-License-Identifier: BSD-3-Clause
// Finds the call chain of another process's thread, by registers, a copy of its stack, and libdw.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/source/source_lines.hpp"

namespace nestbind::cli::source {

struct Mapped {
  std::string file;
  std::uint64_t base = 0;  // the address at which the file's first byte would be mapped
};

struct Moment {
  std::span<const std::uint64_t> registers;  // by the kernel's numbers (asm/perf_regs.h)
  std::uint64_t code = 0;
  std::uint64_t stack_pointer = 0;
  std::span<const std::uint8_t> stack;  // a copy of the stack that begins at stack_pointer
};

class CallChains {
 public:
  explicit CallChains(const std::vector<Mapped>& files);
  ~CallChains();
  CallChains(const CallChains&) = delete;
  CallChains& operator=(const CallChains&) = delete;

  // Returns the places in the copied stack, the innermost first.
  std::vector<Place> find(const Moment& moment);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace nestbind::cli::source
