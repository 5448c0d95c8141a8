// SPDX-License-Identifier: BSD-3-Clause
// The large static arrays of the loaded files, by the symbols of the files (elf(5)).
#pragma once

#include <cstdint>

#include "support/mapped_memory.hpp"

namespace nestbind::memory::kernel {

struct StaticArray {
  static constexpr int kMostName = 256;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  char name[kMostName] = "";  // as the compiler has named it; longer ones are cut
};

// Where the loader has put what a file has that can be written.
struct DataRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Adds those of at least `least` bytes, in order, and the data of all files that have so much.
// Asks the loader, and reads files. A file that is stripped has the arrays that it exports. Throws
// std::bad_alloc.
void find_statics(std::uint64_t least, support::MappedVector<StaticArray>& arrays,
                  support::MappedVector<DataRange>& data);

}  // namespace nestbind::memory::kernel
