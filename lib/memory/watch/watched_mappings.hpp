// SPDX-License-Identifier: BSD-3-Clause
// The lines of /proc/PID/maps (proc_pid_maps(5)). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nestbind::memory {

struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_writable = false;
  bool is_executable = false;
  bool is_private = false;
  std::string_view name;  // of the file, or such as [heap]; empty: anonymous. In the line
};

// A line without its end; nothing of one that is none.
std::optional<Mapping> read_mapping(std::string_view line);

}  // namespace nestbind::memory
