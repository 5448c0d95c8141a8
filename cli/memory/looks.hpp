// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel about another process's memory without disturbing it: mappings, pages, nodes.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "memory/watch/process_table.hpp"

namespace nestbind::cli::memory {

// A static array of a program or a library, as the file's symbols say.
struct StaticArray {
  std::uint64_t begin = 0;  // the first address, as in the file
  std::uint64_t end = 0;
  std::string name;
};

// Reads the arrays of each file once.
class StaticArrays {
 public:
  // Returns the arrays of a file. file: a name by which this process can open the file.
  const std::vector<StaticArray>& of(const std::string& file, std::uint64_t least);

 private:
  std::map<std::string, std::vector<StaticArray>> files_;
};

// A file that a process has mapped.
struct Module {
  std::string name;  // the file's name in the process
  std::string file;  // the name by which this process can open the file
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // the address where the first byte of the file would be mapped
};

// The chunks of glibc's malloc in each mapping, and the number of our searches for chunks.
using Chunks = std::map<std::pair<std::uint64_t, std::uint64_t>,
                        std::pair<int, std::vector<nestbind::memory::watch::Area>>>;

// Returns the regions of at least `least` bytes, in ascending order.
std::vector<nestbind::memory::watch::Area> find_areas(int process, std::uint64_t least,
                                                      const std::vector<Module>& modules,
                                                      StaticArrays& arrays, Chunks& chunks);

// What the kernel's balancing did since the machine started (/proc/vmstat). 0 if not known.
struct Balanced {
  std::uint64_t hints = 0;  // hinting faults
  std::uint64_t moved = 0;  // pages
};

Balanced balanced_so_far();

// Enters the present pages into the table, and their nodes if may_ask is true (of a large region
// only of a random part). before: the time of the previous look. hints: hinting faults since then.
// Returns 0, or the errno that says why nodes are not known (ESRCH if the process ends).
int look(nestbind::memory::watch::ProcessTable& table,
         const std::vector<nestbind::memory::watch::Area>& areas, std::uint64_t now,
         std::uint64_t hints, const Balanced& before, bool may_ask, std::mt19937_64& chance);

}  // namespace nestbind::cli::memory
