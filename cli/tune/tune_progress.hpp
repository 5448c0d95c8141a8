// SPDX-License-Identifier: BSD-3-Clause
// Shows a trial's progress on the standard error: a bar on a terminal, or else a line each minute.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "trial/trial.hpp"

namespace nestbind::cli::tune {

// Numbers and times as text.
// Returns a number with four digits: 0.1235, 12.35. Large numbers have no fraction: 12345.
std::string figure(double number);

// Returns "12 s", "3 min 20 s" or "2 h 5 min". Times below ten seconds have one decimal.
std::string duration(double seconds);

// Reads a text such as "90", "90s", "15m" or "2h". The result is in seconds and above 0.
std::optional<double> read_duration(const std::string& text);

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
