// SPDX-License-Identifier: BSD-3-Clause
// Shows a probe's progress and results.
#pragma once

#include <cstdio>
#include <string>

#include "probe/probe_found.hpp"

namespace nestbind::cli::probe {

// Returns "[##########..........] 50 %, 3 s left". done: from 0 to 1.
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

std::string table_of(const nestbind::probe::Found& found);

// Returns the results as JSON, which nestbind-probe(1) describes.
std::string json_of(const nestbind::probe::Found& found);

// Returns two heat maps as SVG: round trips between cores, and reads between several nodes. A pair
// that was not measured gets the mean of its kind of pairs ("same L3").
std::string picture_of(const nestbind::probe::Found& found);

}  // namespace nestbind::cli::probe
