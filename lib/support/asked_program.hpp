// SPDX-License-Identifier: BSD-3-Clause
// For programs that the command asks by their standard input, since the library that they are for
// may not come into its process. Needs libstdc++.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace nestbind::support {

// Processor time at most, after which the process ends, and no core file.
inline void limit_process(rlim_t seconds) {
  const rlimit time{seconds, seconds};
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
}

// All of the standard input. Throws std::bad_alloc.
inline std::string all_input() {
  constexpr std::size_t kPart = 65536;
  std::string text;
  std::size_t got = kPart;
  while (got > 0) {
    const std::size_t before = text.size();
    text.resize(before + kPart);
    got = std::fread(text.data() + before, 1, kPart, stdin);
    text.resize(before + got);
  }
  return text;
}

}  // namespace nestbind::support
