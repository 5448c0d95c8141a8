// SPDX-License-Identifier: BSD-3-Clause
// The static memory of a program or a library: where it is loaded, and its large arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/inspect/mapped_file.hpp"

namespace nestbind::cli::inspect {

// The addresses are those in the file. `end` is larger than `begin`.
struct StaticArray {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;
};

struct StaticData {
  bool is_loaded = false;  // False if the file is no program or library of this machine.
  // The address in the file that the file's first byte would have.
  std::uint64_t origin = 0;
  std::uint64_t end = 0;  // after the last address, rounded up to a page
  // By address. If the file is stripped, only exported arrays are here.
  std::vector<StaticArray> arrays;
};

// Finds arrays of at least `least` bytes.
StaticData static_data_of(Bytes file, std::uint64_t least, std::uint64_t page_bytes);

}  // namespace nestbind::cli::inspect
