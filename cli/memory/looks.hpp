// SPDX-License-Identifier: BSD-3-Clause
// Looks at another process's memory: what is mapped, which pages are there, and where. The kernel
// is asked; the process does nothing.
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
  std::uint64_t begin = 0;  // as the file counts
  std::uint64_t end = 0;
  std::string name;
};

// What files have is read once.
class StaticArrays {
 public:
  // file: its name as this process can open it.
  const std::vector<StaticArray>& of(const std::string& file, std::uint64_t least);

 private:
  std::map<std::string, std::vector<StaticArray>> files_;
};

// A file that a process has mapped, from an address that its own addresses count from.
struct Module {
  std::string name;  // as the process calls it
  std::string file;  // as this process can open it
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // where the first byte of the file would be
};

// What is added to the addresses of a module's file.
std::uint64_t bias_of(const Module& module);

// The chunks of the allocator in a mapping, and how often they have been looked for.
using Chunks = std::map<std::pair<std::uint64_t, std::uint64_t>,
                        std::pair<int, std::vector<nestbind::memory::watch::Area>>>;

// The regions of at least `least` bytes, ascending.
std::vector<nestbind::memory::watch::Area> find_areas(int process, std::uint64_t least,
                                                      const std::vector<Module>& modules,
                                                      StaticArrays& arrays, Chunks& chunks);

struct LookResult {
  bool is_there = false;  // the process
  bool may_ask = true;    // where pages are; false: the kernel, or a sandbox, refuses
};

// What the kernel's balancing has done for all processes since the machine was started, by
// /proc/vmstat; 0 if it does not tell.
struct Balanced {
  std::uint64_t hints = 0;
  std::uint64_t moved = 0;  // pages
};

Balanced balanced_so_far();

// Has the table see what there is; may_ask: also where. Of a large region that is a random part of
// the pages, and over some looks nearly all. before: at the latest look; hints: since that.
LookResult look(nestbind::memory::watch::ProcessTable& table,
                const std::vector<nestbind::memory::watch::Area>& areas, std::uint64_t now,
                std::uint64_t hints, const Balanced& before, bool may_ask, std::mt19937_64& chance);

}  // namespace nestbind::cli::memory
