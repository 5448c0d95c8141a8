// SPDX-License-Identifier: BSD-3-Clause
// Shows a trial's progress on the standard error: a bar on a terminal, or else a line each minute.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "trial/trial.hpp"

namespace nestbind::cli::tune {

// "[######..............] 34 of at most 93 runs, selection, round 2 of 3; 2 min 10 s left".
std::string progress_line(const trial::Trial& trial, double seconds_left);

class Progress {
 public:
  explicit Progress(std::FILE* file);

  void show(const trial::Trial& trial);
  void tick();
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void write();
  std::string in_one_row(const std::string& line) const;

  std::FILE* file_;
  bool is_terminal_;
  const trial::Trial* trial_ = nullptr;
  Clock::time_point run_began_;
  Clock::time_point written_;
  bool has_written_ = false;
};

}  // namespace nestbind::cli::tune
