// SPDX-License-Identifier: BSD-3-Clause
// The kernel's records of page faults in other processes (perf_event_open(2)): one ring for each
// processor, in this process alone.
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

  // Events on each of these processors for these threads of a process; is_at_exec: one that has not
  // begun its program, at whose exec they begin. All threads and processes that it creates have
  // them too. Returns 0, or the kernel's error.
  int open(const std::vector<int>& threads, const std::vector<int>& processors, bool is_at_exec);

  // To be waited for: a ring is partly full.
  void add_to(std::vector<pollfd>& files) const;

  // Hands on what has come, and forgets it.
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
  std::vector<int> others_;  // events that write into the rings
};

// Of a mask those that get an event: all, or so many, evenly taken.
std::vector<int> watched_processors(const std::vector<int>& mask);

// Whether these system calls may be tried here: a filter may end who makes them.
bool may_sample();
bool may_look();

// Why nobody's faults can be seen here, for a user.
std::string words_of_refusal(int error);

}  // namespace nestbind::cli::memory
