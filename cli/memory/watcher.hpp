// SPDX-License-Identifier: BSD-3-Clause
// Watches a program and the processes that it starts.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/memory/looks.hpp"
#include "cli/memory/watched_run.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/watch/process_table.hpp"
#include "memory/watch/verdict.hpp"
#include "support/files.hpp"

namespace nestbind::cli::memory {

class Watcher;

struct Watched {
  Watched(std::uint32_t process, std::uint64_t begin)
      : table(process, begin, nestbind::memory::kernel::page_bytes()) {}
  nestbind::memory::watch::ProcessTable table;
  std::string name;
  std::vector<Module> modules;
  Chunks chunks;
  // Open files. A module can then be read after the watched process has ended.
  std::vector<std::shared_ptr<const support::Descriptor>> files;
  std::vector<int> mask;
  int threads_wanted = 0;              // OMP_NUM_THREADS; 0 if not set
  std::vector<std::uint32_t> threads;  // in the order of creation
  bool has_ended = false;
};

// If `at_end` is true, a page's home is the node before the use. Otherwise the home is the first
// node.
nestbind::memory::watch::Facts facts_of(const Watched& watched,
                                        const nestbind::memory::watch::Region& region,
                                        const Watcher& watcher, bool at_end);

class Watcher {
 public:
  explicit Watcher(const WatchedRun& options);

  // `child` must still wait before its exec.
  void begin(pid_t child);
  // Looks once if no time is given. Returns 0 or errno.
  int begin_running(pid_t process);

  // Watches until `file` is readable or the time is over. Calls `looked` after each look.
  using Looked = std::function<void(const Watched& watched)>;
  void watch_until(int file, const Looked& looked);
  void finish();

  std::vector<std::unique_ptr<Watched>>& programs() { return programs_; }

  std::string circumstances() const;
  // Returns "pages", "touches" or "hints".
  const char* tier() const;
  std::uint64_t lost() const;
  bool is_loss_even() const;
  const WatchedRun& options() const { return options_; }

 private:
  void drain();
  void take(const nestbind::memory::watch::Record& record);
  void take_mapping(Watched& watched, const nestbind::memory::watch::Record& record);
  Watched& program_of(std::uint32_t process, std::uint64_t time);
  Watched* live(std::uint32_t process);
  Watched& add(std::uint32_t process, std::uint64_t time);
  void look_at_all(const Looked& looked);
  static void read_surroundings(Watched& watched);
  void read_modules(Watched& watched);

  WatchedRun options_;
  ScanRates rates_ = scan_rates(kScanFolder);
  Rings rings_;
  StaticArrays arrays_;
  std::vector<std::unique_ptr<Watched>> programs_;
  std::map<std::uint32_t, Watched*> live_;
  struct Counted {
    std::uint64_t taken = 0;
    std::uint64_t lost = 0;
  };
  std::map<std::uint32_t, Counted> counted_;  // by processor
  std::mt19937_64 chance_{1};
  std::string refusal_;
  bool may_ask_ = true;
  std::uint64_t begun_ = 0;
  Balanced balanced_ = balanced_so_far();
  std::uint64_t next_look_ = 0;
  std::uint64_t look_pause_ = 0;
  int processors_left_out_ = 0;
};

}  // namespace nestbind::cli::memory
