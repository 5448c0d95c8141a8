// SPDX-License-Identifier: BSD-3-Clause
// What a user sees of a probe: how far it is, and what it has found. Pure but for the bar.
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

// What a probe has found, for people. Pure.
std::string table_of(const nestbind::probe::Found& found);

// What a probe has found, as nestbind-probe(1) describes it. Pure.
std::string json_of(const nestbind::probe::Found& found);

// Two heat maps as SVG: round trips between cores (those that were not measured have the mean of
// their kind), and reads from node to node where there are several. Dark is far; each cell tells
// its number to a pointer. Pure.
std::string picture_of(const nestbind::probe::Found& found);

}  // namespace nestbind::cli::probe
