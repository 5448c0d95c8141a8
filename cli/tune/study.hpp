// SPDX-License-Identifier: BSD-3-Clause
// Compares candidates by runs of a real program: runs the program, and reads its output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/tune/candidates.hpp"
#include "cli/tune/run_output.hpp"
#include "cli/tune/timed_child.hpp"
#include "cli/tune/tune_progress.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

struct Program {
  std::vector<std::string> words;
  std::string input = "/dev/null";
  std::string folder;
  bool keeps_output = false;          // if false, an output is removed after it is read
  std::optional<LinePattern> metric;  // if not set, the time is compared
  std::optional<LinePattern> check;
  double patience = 0;  // seconds; if 0, derived from the longest run so far
};

struct Prepared {
  Candidate candidate;
  std::vector<std::string> environment;
};

struct Fault {
  std::string text;
  bool is_of_lines = false;
};

struct Outcome {
  std::optional<double> value;
  Fault fault;
  Ended ended;
};

// What the unbound program did. The runs of all other candidates must do the same.
struct Expected {
  int status = 0;
  std::vector<std::string> lines;
  double longest = 0;
};

struct Study {
  explicit Study(std::vector<Candidate> all, const trial::Rules& rules)
      : candidates(std::move(all)),
        trial(static_cast<int>(candidates.size()), rules),
        faults(candidates.size()) {}

  std::vector<Candidate> candidates;
  trial::Trial trial;
  std::vector<Fault> faults;
  int signal = 0;  // the signal that ended the study; 0 if none did
  double seconds = 0;
};

// Returns how a run ended if it did not exit, otherwise an empty text. The text follows the
// program's name.
std::string ending_of(const Ended& ended);

class Runner {
 public:
  Runner(Program program, Children& children, Progress& progress);

  Outcome first(const Prepared& unbound);

  // Stops if a signal asks this process to end. prepared: in the study's order.
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

// Shows the results of a study as text and as JSON.

// metric: "seconds", or the expression that finds the number to compare.
struct Words {
  std::string metric;
  std::string options;
  std::string cpus;  // the processors that all candidates may use; if empty, all
};

std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// Returns the leader, which is the reference if no difference was found.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
//  "alike", "line", "candidates": [...], "tests": [...]}: nestbind-tune(1).
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
