// SPDX-License-Identifier: BSD-3-Clause
// Reads page faults of other processes (perf_event_open(2)), with a ring buffer for each processor.
#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <vector>

#include "memory/watch/records.hpp"

namespace nestbind::cli::memory {

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
