// SPDX-License-Identifier: BSD-3-Clause
// Who called whom where another process's thread was: by its registers and a copy of its stack,
// from the call frame information of the files that it has mapped (DWARF's, by libdw).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/source/source_lines.hpp"

namespace nestbind::cli::source {

// A file that the process has mapped.
struct Mapped {
  std::string file;        // as this process can open it
  std::uint64_t base = 0;  // where its first byte would be
};

// What a thread was at.
struct Moment {
  std::span<const std::uint64_t> registers;  // by the kernel's numbers (asm/perf_regs.h)
  std::uint64_t code = 0;
  std::uint64_t stack_pointer = 0;
  std::span<const std::uint8_t> stack;  // from there on
};

class CallChains {
 public:
  explicit CallChains(const std::vector<Mapped>& files);
  ~CallChains();
  CallChains(const CallChains&) = delete;
  CallChains& operator=(const CallChains&) = delete;

  // The places of its call chain, the innermost first, as far as the stack's copy goes; at least
  // the first one, if a file has it.
  std::vector<Place> find(const Moment& moment);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace nestbind::cli::source
