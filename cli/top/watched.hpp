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
  // If `named` is empty, chooses processes that publish their places. Also chooses processes that
  // are busy with several threads. For root, chooses among the processes of all users. Processes
  // publish in `folder`.
  Watched(std::vector<int> named, const std::string& folder, long ticks_per_second);

  int first_missing() const;

  Sample look();

 private:
  struct Known {
    std::uint64_t start = 0;
    std::uint64_t ticks = 0;
    std::string command;
    double ended = 0;  // 0 if the process exists, otherwise the time of its end
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
