// SPDX-License-Identifier: BSD-3-Clause
// nestbind tune: runs a program in several ways, and tells which one is the best, if any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nestbind::cli {

struct TuneOptions {
  std::vector<std::string> program;  // and its arguments
  std::string shapes;                // "4x4,2x8"; empty: none known
  std::string candidates;            // specifications, by semicolons; empty: what is suggested
  bool schedules = false;            // of loops, too
  std::string metric = "time";       // or an expression of lines
  bool is_lower = false;
  bool is_higher = false;
  std::string check;  // expression of lines; empty: none
  int rounds = 0;     // of the final; 0: as many as usual
  std::string budget;
  std::string timeout;
  std::string input;  // file; empty: /dev/null
  std::string json;   // file; empty: none
  std::string keep;   // folder; empty: the runs' output is not kept
  std::uint64_t seed = 1;
  // As for nestbind run.
  std::string runtime;
  std::string library;
  std::string cpus;
  std::string smt;
  std::string cores;
};

// Returns the exit status.
int tune_command(const TuneOptions& options);

}  // namespace nestbind::cli
