// SPDX-License-Identifier: BSD-3-Clause
// Which processes are looked at, and one look at them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/top/published.hpp"
#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

class Watched {
 public:
  // named: processes that the user asks for, whatever they are. Empty: those of this user (for
  // root, all) that tell their places, and others that run with several threads.
  // folder: where files are published.
  Watched(std::vector<int> named, const std::string& folder, long ticks_per_second);

  // Of processes that are named the first that is not there; 0: all are.
  int first_missing() const;

  Sample look();

 private:
  struct Known {
    std::uint64_t start = 0;
    std::uint64_t ticks = 0;  // when it was last looked for
    std::string command;
    double ended = 0;  // when it was missed first; 0: it is there
  };

  void find(double now);
  ProcessSample look_at(int process, Known& known, double now);

  std::vector<int> named_;
  PublishedFiles files_;
  long ticks_per_second_;
  double found_at_ = 0;
  int finds_ = 0;
  std::map<int, Known> busy_;     // processes with several threads, and what they had run
  std::map<int, Known> watched_;  // those that are looked at
};

}  // namespace nestbind::cli::top
