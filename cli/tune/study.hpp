// SPDX-License-Identifier: BSD-3-Clause
// Compares candidates by runs of a real program: runs the program, and reads its output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/tune/run_output.hpp"
#include "cli/tune/timed_child.hpp"
#include "cli/tune/tune_progress.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

struct Candidate {
  std::string name;
  std::string spec;      // OMP_NESTING_TEAM_SIZE; empty if nestbind does not bind
  std::string schedule;  // NESTBIND_SCHEDULE; empty if none
  std::vector<std::pair<std::string, std::string>> variables;

  std::string rules = {};  // NESTBIND_RULES: a file with the specification for one region

  bool needs_library() const { return !spec.empty() || !schedule.empty() || !rules.empty(); }
};

inline constexpr char kUnbound[] = "unbound";

// Without sizes the program chooses its teams.
struct Shape {
  std::vector<int> sizes;
  std::vector<std::string> specs;
};

std::string name_of_shape(const std::vector<int>& sizes);

// The first layout does not bind the program. Each shape adds an unbound program with the shape's
// sizes. Each shape adds two layouts with OMP_PROC_BIND, and one layout for each specification. No
// layout comes twice.
std::vector<Candidate> layouts(const std::vector<Shape>& shapes);

// The first schedule is the program's own. Three schedules are the runtime's (OMP_SCHEDULE). The
// first hybrid schedule chooses its fraction and its chunk itself. The other hybrid schedules have
// static fractions from 0 to 1 in steps of 1/8. For each fraction below 1, the chunks are powers of
// 2 from 1 to 128. The last schedule is "balanced".
//
// The fractions and chunks are from "Adaptive Loop Scheduling with Charm++" by V. Kale, H. Menon
// and K. Senthil.
//
// with_across: also some of these schedules, with each of four values of NESTBIND_BALANCE_ACROSS.
std::vector<Candidate> schedules(const Candidate& layout, bool with_across);

// Returns a line for a job script, in POSIX shell. After this line, programs run as this candidate
// does. The line is "" if the candidate needs no settings. In `options`, a blank follows each
// option ("--smt=2 "). If `cpus` is empty, programs may use all processors.
std::string script_line(const Candidate& candidate, const std::string& options,
                        const std::string& cpus);

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
