// SPDX-License-Identifier: BSD-3-Clause
// The program to tune, the specifications to try, and each candidate's environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/preload.hpp"
#include "cli/common/starting.hpp"
#include "cli/tune/study.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

// The options of nestbind tune, first as the user typed them, then as they are read.
struct TuneOptions {
  std::vector<std::string> program;
  std::string shapes;      // "4x4,2x8"; empty if not known
  std::string candidates;  // specifications between semicolons; empty for suggested ones
  bool schedules = false;
  bool across = false;  // also NESTBIND_BALANCE_ACROSS
  bool rules = false;   // tune one region, not the layouts
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

struct Subject {
  Binding binding;
  std::vector<Shape> shapes;
};

// Examines the program and the machine, and sets this process's environment for the unbound
// program. If there is nothing to tune, says why, sets the exit status and returns nothing.
std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status);

Prepared prepare(const Candidate& candidate, const Binding& binding);

}  // namespace nestbind::cli::tune
