// SPDX-License-Identifier: BSD-3-Clause
// Chooses processes, and looks at them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/top/published.hpp"
#include "cli/top/sample.hpp"

namespace nestbind::cli::top {

class Watched {
 public:
  // If `named` is empty, watches this user's processes (root: all) that publish their places, or
  // that are busy with several threads. folder: where processes publish.
  Watched(std::vector<int> named, const std::string& folder, long ticks_per_second);

  int first_missing() const;

  Sample look();

 private:
  struct Known {
    std::uint64_t start = 0;
    std::uint64_t ticks = 0;
    std::string command;
    double ended = 0;  // when the process was first found to have ended; 0 if it exists
  };

  void find(double now);
  ProcessSample look_at(int process, Known& known, double now);

  std::vector<int> named_;
  PublishedFiles files_;
  long ticks_per_second_;
  double found_at_ = 0;
  int finds_ = 0;
  std::map<int, Known> busy_;
  std::map<int, Known> watched_;
};

}  // namespace nestbind::cli::top
