// SPDX-License-Identifier: BSD-3-Clause
// The options of nestbind tune, first as the user typed them, then as they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/starting.hpp"
#include "cli/tune/study.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

struct TuneOptions {
  std::vector<std::string> program;
  std::string shapes;      // "4x4,2x8"; empty if not known
  std::string candidates;  // specifications between semicolons; empty for suggested ones
  bool schedules = false;
  bool rules = false;  // tune one region, not the layouts
  std::string metric = "time";
  bool is_lower = false;
  bool is_higher = false;
  std::string check;
  int rounds = 0;  // rounds of the final; if 0, the default number
  std::string budget;
  std::string timeout;
  std::string input;
  std::string format = "text";
  std::string json;
  std::string keep;  // a folder that keeps the output of the runs; if empty, the output is removed
  std::uint64_t seed = 1;
  std::string runtime;
  std::string library;
  std::string cpus;
  std::string smt;
  std::string cores;
};

struct Wanted {
  Program program;  // complete except for its folder
  trial::Rules rules;
  bool has_rounds = false;
  std::vector<std::vector<int>> shapes;
  std::vector<std::string> specs;  // in canonical form
  RuntimeChoice runtime;
  std::string options;  // options of nestbind run for the job script, each with a blank after it
};

std::optional<Wanted> read_wanted(const TuneOptions& options);

}  // namespace nestbind::cli::tune
