// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel about another process's memory without disturbing it: mappings, pages, nodes.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "memory/watch/process_table.hpp"
#include "memory/watch/records.hpp"
#include "support/files.hpp"

namespace nestbind::cli::memory {

class StaticArrays {
 public:
  // file: a name by which this process can open the file.
  const inspect::StaticData& of(const std::string& file, std::uint64_t least);

 private:
  std::map<std::string, inspect::StaticData> files_;
};

struct Module {
  std::string name;
  std::string file;  // the name by which this process can open the file
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // the address where the first byte of the file would be mapped
};

// The chunks of glibc's malloc in each mapping, and the number of our searches for chunks.
using Chunks = std::map<std::pair<std::uint64_t, std::uint64_t>,
                        std::pair<int, std::vector<nestbind::memory::watch::Area>>>;

// True for a mapping that is larger than the machine's memory. For example, AddressSanitizer
// reserves 16 TB.
bool is_reservation(std::uint64_t bytes);

std::vector<nestbind::memory::watch::Area> find_areas(int process, std::uint64_t least,
                                                      const std::vector<Module>& modules,
                                                      StaticArrays& arrays, Chunks& chunks);

// What the kernel's balancing did since the machine started (/proc/vmstat). 0 if not known.
struct Balanced {
  std::uint64_t hints = 0;
  std::uint64_t moved = 0;
};

Balanced balanced_so_far();

// `before` contains the numbers at the previous look. `hints` is the number of hinting faults since
// then. Returns 0 or an errno. ESRCH means that the process ends.
int look(nestbind::memory::watch::ProcessTable& table,
         const std::vector<nestbind::memory::watch::Area>& areas, std::uint64_t now,
         std::uint64_t hints, const Balanced& before, bool may_ask, std::mt19937_64& chance);

inline constexpr char kScanFolder[] = "/sys/kernel/debug/sched/numa_balancing";

struct ScanRates {
  int delay_ms = 1000;  // Linux's defaults
  int period_ms = 1000;
  int size_mb = 256;
};

// Only root may read the rates. Others get Linux's defaults.
ScanRates scan_rates(const std::string& folder);

std::uint64_t seconds_to_users(const ScanRates& rates, std::uint64_t bytes);

// While this object exists, the kernel scans all processes faster. Only one nestbind can have it.
class FasterScans {
 public:
  explicit FasterScans(const std::string& folder);
  ~FasterScans();
  FasterScans(const FasterScans&) = delete;
  FasterScans& operator=(const FasterScans&) = delete;
  const std::string& fault() const { return fault_; }

 private:
  support::Descriptor folder_;                                // locked
  std::vector<std::pair<std::string, std::string>> changed_;  // files and their earlier contents
  std::string fault_;
};

// Reads page faults of other processes (perf_event_open(2)), with a ring buffer for each processor.

class Rings {
 public:
  Rings() = default;
  ~Rings();
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;

  // If `is_at_exec` is true, the events start at the next exec. Returns 0 or the kernel's error.
  int open(const std::vector<int>& threads, const std::vector<int>& processors, bool is_at_exec);

  // Adds descriptors that become readable when their rings are partly full.
  void add_to(std::vector<pollfd>& files) const;

  // Calls `take` for each new record, and removes the records from the rings.
  void drain(const std::function<void(const nestbind::memory::watch::Record&)>& take);

 private:
  struct Ring {
    int event = -1;
    void* control = nullptr;
    std::size_t bytes = 0;
    int processor = 0;
  };
  void close_all();

  std::vector<Ring> rings_;
  std::vector<int> others_;
};

// Returns at most kMostEvents processors of the mask, at equal distances.
std::vector<int> watched_processors(const std::vector<int>& mask);

std::string words_of_refusal(int error);

}  // namespace nestbind::cli::memory
