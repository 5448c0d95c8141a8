// SPDX-License-Identifier: BSD-3-Clause
// The options of nestbind tune, as they are typed and as they are read.
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
  std::vector<std::string> program;  // and its arguments
  std::string shapes;                // "4x4,2x8"; empty: none known
  std::string candidates;            // specifications, by semicolons; empty: what is suggested
  bool schedules = false;            // of loops, too
  bool rules = false;                // of one region, in place of layouts
  std::string metric = "time";       // or an expression of lines
  bool is_lower = false;
  bool is_higher = false;
  std::string check;  // expression of lines; empty: none
  int rounds = 0;     // of the final; 0: as many as usual
  std::string budget;
  std::string timeout;
  std::string input;  // file; empty: /dev/null
  std::string format = "text";
  std::string json;  // a file that gets it as JSON, too; empty: none
  std::string keep;  // folder; empty: the runs' output is not kept
  std::uint64_t seed = 1;
  // As for nestbind run.
  std::string runtime;
  std::string library;
  std::string cpus;
  std::string smt;
  std::string cores;
};

struct Wanted {
  Program program;  // but for its folder
  trial::Rules rules;
  bool has_rounds = false;               // they are the user's
  std::vector<std::vector<int>> shapes;  // none: not known
  std::vector<std::string> specs;        // canonical; none: what is suggested
  RuntimeChoice runtime;
  std::string options;  // of nestbind run, for the job script; each followed by a blank
};

// None, and says what is wrong.
std::optional<Wanted> read_wanted(const TuneOptions& options);

}  // namespace nestbind::cli::tune
