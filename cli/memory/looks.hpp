// SPDX-License-Identifier: BSD-3-Clause
// The kernel's view of another process's memory, which is not disturbed: mappings, pages, nodes.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "memory/watch/process_table.hpp"

namespace nestbind::cli::memory {

// A static array of a program or a library, by the symbols of its file.
struct StaticArray {
  std::uint64_t begin = 0;  // an address of the file
  std::uint64_t end = 0;
  std::string name;
};

// Reads the arrays of each file once.
class StaticArrays {
 public:
  // file: a name by which this process can open it.
  const std::vector<StaticArray>& of(const std::string& file, std::uint64_t least);

 private:
  std::map<std::string, std::vector<StaticArray>> files_;
};

// A file that a process has mapped.
struct Module {
  std::string name;  // the process's name for it
  std::string file;  // a name by which this process can open it
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // the address where the first byte of the file would be
};

// The allocator's chunks in each mapping, and how often they were searched for.
using Chunks = std::map<std::pair<std::uint64_t, std::uint64_t>,
                        std::pair<int, std::vector<nestbind::memory::watch::Area>>>;

// The regions of at least `least` bytes, ascending.
std::vector<nestbind::memory::watch::Area> find_areas(int process, std::uint64_t least,
                                                      const std::vector<Module>& modules,
                                                      StaticArrays& arrays, Chunks& chunks);

// The kernel's balancing of all processes since the start (/proc/vmstat); 0 without such a line.
struct Balanced {
  std::uint64_t hints = 0;  // hinting faults
  std::uint64_t moved = 0;  // pages
};

Balanced balanced_so_far();

// Enters the present pages; if may_ask, also their nodes. Each look takes a random part of a large
// region; several cover nearly all. before: at the previous look; hints: hinting faults since then.
// Returns 0; ESRCH: the process ends; or why the kernel or a sandbox does not say where pages are.
int look(nestbind::memory::watch::ProcessTable& table,
         const std::vector<nestbind::memory::watch::Area>& areas, std::uint64_t now,
         std::uint64_t hints, const Balanced& before, bool may_ask, std::mt19937_64& chance);

}  // namespace nestbind::cli::memory
