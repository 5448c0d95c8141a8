// SPDX-License-Identifier: BSD-3-Clause
// A trial of candidates with a real program: each turn is a run of it, whose output is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/tune/candidates.hpp"
#include "cli/tune/run_output.hpp"
#include "cli/tune/timed_child.hpp"
#include "cli/tune/tune_progress.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

// How the program is run and what is looked at, the same for every candidate.
struct Program {
  std::vector<std::string> words;
  std::string input = "/dev/null";    // file
  std::string folder;                 // of the runs' output
  bool keeps_output = false;          // otherwise it is removed as soon as it has been read
  std::optional<LinePattern> metric;  // none: the time
  std::optional<LinePattern> check;
  double patience = 0;  // seconds; 0: by the longest run so far
};

// A candidate, and the whole environment with which it runs.
struct Prepared {
  Candidate candidate;
  std::vector<std::string> environment;
};

// Why a run has no value.
struct Fault {
  std::string text;  // what comes after the candidate's name: "ended with status 3"; empty: none
  bool is_of_lines = false;  // it wrote others than the unbound program, by the pattern for checks
};

// How a run ended: a value, or why there is none.
struct Outcome {
  std::optional<double> value;
  Fault fault;
  Ended ended;
};

// What the unbound program does, which all others have to do, too.
struct Expected {
  int status = 0;
  std::vector<std::string> lines;  // by the pattern for checks
  double longest = 0;              // seconds of a run so far
};

struct Study {
  explicit Study(std::vector<Candidate> all, const trial::Rules& rules)
      : candidates(std::move(all)),
        trial(static_cast<int>(candidates.size()), rules),
        faults(candidates.size()) {}

  std::vector<Candidate> candidates;
  trial::Trial trial;
  std::vector<Fault> faults;  // why a candidate is out
  int signal = 0;             // that has ended it; 0: none
  double seconds = 0;
};

class Runner {
 public:
  Runner(Program program, Children& children, Progress& progress);

  // The first run, of the unbound program: what is expected of all others.
  Outcome first(const Prepared& unbound);

  // All runs of a study, until it is over or this process is told to end. The candidates are the
  // study's, in its order.
  void complete(Study& study, const std::vector<Prepared>& prepared);

  const Expected& expected() const { return expected_; }

 private:
  Outcome run(const Prepared& prepared, double patience, bool is_first);
  Fault fault_of(const Ended& ended, const std::vector<std::string>& files, bool is_first);
  double patience() const;

  Program program_;
  Children& children_;
  Progress& progress_;
  Expected expected_;
  int runs_ = 0;
};

}  // namespace nestbind::cli::tune
