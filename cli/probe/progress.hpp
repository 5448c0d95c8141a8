// SPDX-License-Identifier: BSD-3-Clause
// How far a probe is, on a terminal; elsewhere nothing.
#pragma once

#include <cstdio>
#include <string>

namespace nestbind::cli::probe {

// "[##########..........] 50 %, 3 s left". done: 0 to 1. Pure.
std::string progress_line(double done, double seconds_left);

class ProgressBar {
 public:
  explicit ProgressBar(std::FILE* file);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double done, double seconds_left);
  void clear();

 private:
  std::FILE* file_;
  bool is_terminal_;
  bool is_there_ = false;
};

}  // namespace nestbind::cli::probe
