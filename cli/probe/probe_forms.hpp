// SPDX-License-Identifier: BSD-3-Clause
// What a user sees of a probe: its progress and its results. Only the progress bar is not pure.
#pragma once

#include <cstdio>
#include <string>

#include "probe/probe_found.hpp"

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

// The results as text. Pure.
std::string table_of(const nestbind::probe::Found& found);

// The results as JSON, described in nestbind-probe(1). Pure.
std::string json_of(const nestbind::probe::Found& found);

// Two heat maps as SVG: round trips between cores, and reads between several nodes. A pair that was
// not measured has the mean of its kind. Dark is far. Pointing at a cell shows its number. Pure.
std::string picture_of(const nestbind::probe::Found& found);

}  // namespace nestbind::cli::probe
