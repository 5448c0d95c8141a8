// SPDX-License-Identifier: BSD-3-Clause
// Reads the value of run --memory (nestbind(1)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace nestbind::memory {

struct Wish {
  bool is_apply = false;  // memory is moved; otherwise it is only reported
  // The least size, in bytes, of a region that is reported or moved.
  std::uint64_t least = std::uint64_t{8} << 20;
  int seconds = 0;  // seconds to watch; 0 to watch until the process ends
  bool is_json = false;
  bool is_scanned_fast = false;  // NUMA balancing uses shorter times between scans
  std::string file;              // empty for the standard error output
};

struct WishFault {
  std::size_t position = 0;
  const char* what = "";
  const char* expected = "";
};

// If the text is wrong, returns false, writes the first fault to `fault`, and does not change
// `wish`.
bool parse(const std::string& text, Wish& wish, WishFault& fault);

std::string describe(const std::string& text, const WishFault& fault);

}  // namespace nestbind::memory
