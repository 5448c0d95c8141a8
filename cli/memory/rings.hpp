// SPDX-License-Identifier: BSD-3-Clause
// The kernel's records of page faults in other processes (perf_event_open(2)): one ring for each
// processor. The rings are in this process only.
#pragma once

#include <poll.h>

#include <cstdint>
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

  // Opens events on these processors for a process that has not begun its program yet. The events
  // start at its exec, and its new threads and processes inherit them. Returns 0, or the kernel's
  // error.
  int open(int process, const std::vector<int>& processors);
  // The same for a running process, and for the threads and processes that it creates from now on.
  int open_running(const std::vector<int>& threads, const std::vector<int>& processors);

  bool are_open() const { return !rings_.empty(); }
  // The size of a ring; 0: there is none.
  std::size_t bytes() const { return rings_.empty() ? 0 : rings_[0].bytes; }

  // Adds descriptors to poll: one is readable if its ring is partly full.
  void add_to(std::vector<pollfd>& files) const;

  // Passes on the new records, and removes them from the rings.
  void drain(const std::function<void(const nestbind::memory::watch::Record&)>& take);

 private:
  struct Ring {
    int event = -1;
    void* control = nullptr;
    std::size_t bytes = 0;
    int processor = 0;
  };
  int open_ring(int thread, int processor, bool is_at_exec, std::size_t bytes, Ring& ring);
  int open_all(const std::vector<int>& threads, const std::vector<int>& processors,
               bool is_at_exec);
  void close_all();

  std::vector<Ring> rings_;
  std::vector<int> others_;  // further events that write into the rings
};

// The processors of a mask that get an event: all, or kMostEvents of them at even distances.
std::vector<int> watched_processors(const std::vector<int>& mask);

// Whether these system calls may be tried: a seccomp filter may end the process that makes them.
bool may_sample();
bool may_look();

// For a user: why page faults cannot be seen here.
std::string words_of_refusal(int error);

}  // namespace nestbind::cli::memory
